import type { Kept, KeptKind } from '../../shared/privacy/kept.ts';
import { keptKinds } from '../../shared/privacy/kept.ts';
import { orRefuse } from '../ipc/refusal.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { PrivacyHandlers } from './desk-handlers.ts';

/** One kind of what is kept. */
export interface KeptPlace {
  readonly place: string;
  readonly measure: () => Promise<Outcome<Pick<Kept, 'count' | 'bytes'>>>;
  readonly clear: () => Promise<Outcome<undefined>>;
}

export type KeptPlaces = Readonly<Record<KeptKind, KeptPlace>>;

/** What the requests about what is kept do. */
export function createPrivacyHandlers(places: KeptPlaces): PrivacyHandlers {
  const all = (): Promise<readonly Kept[]> =>
    Promise.all(
      keptKinds.map(async (kind) => {
        const { place, measure } = places[kind];
        return { kind, place, ...orRefuse(await measure()) };
      }),
    );

  return {
    kept: all,
    deleteKept: async ({ kind }) => {
      const kinds = kind === 'all' ? keptKinds : [kind];
      // One that fails keeps none of the others.
      const cleared = await Promise.all(kinds.map((each) => places[each].clear()));
      for (const outcome of cleared) orRefuse(outcome);
      return all();
    },
  };
}
