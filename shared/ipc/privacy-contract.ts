import type { StoredData, StoredDataKind } from '../privacy/stored-data.ts';
import type { Nothing } from './nothing.ts';

export interface PrivacyRequests {
  readonly kept: { readonly input: Nothing; readonly value: readonly StoredData[] };
  /** For good; the answer is what is still kept. Settings are not among it: they can be reset. */
  readonly deleteStoredData: {
    readonly input: { readonly kind: StoredDataKind | 'all' };
    readonly value: readonly StoredData[];
  };
}
