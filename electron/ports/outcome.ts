import type { Why } from '../../shared/why.ts';

/** An expected failure, already said so that a person understands it. */
export interface Failure {
  readonly ok: false;
  readonly problem: string;
  readonly why?: Why | undefined;
}

export type Outcome<Value> = { readonly ok: true; readonly value: Value } | Failure;
