import type { Kept, KeptKind } from '../privacy/kept.ts';
import type { Nothing } from './nothing.ts';

export interface PrivacyRequests {
  readonly kept: { readonly input: Nothing; readonly value: readonly Kept[] };
  /** For good; the answer is what is still kept. Settings are not among it: they can be reset. */
  readonly deleteKept: {
    readonly input: { readonly kind: KeptKind | 'all' };
    readonly value: readonly Kept[];
  };
}
