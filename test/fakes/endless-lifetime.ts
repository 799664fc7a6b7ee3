import type { Lifetime } from '../../shared/lifetime.ts';

/** Of a core that goes with its test: nothing in it outlives that. */
export const endlessLifetime: Pick<Lifetime, 'add'> = { add: () => undefined };
