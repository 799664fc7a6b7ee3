import type { StoredData, StoredDataKind } from '../../shared/privacy/stored-data.ts';
import { storedDataKinds } from '../../shared/privacy/stored-data.ts';
import { unwrap } from '../ipc/request-refused-error.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { PrivacyHandlers } from './controller-handlers.ts';

/** One kind of stored data. */
export interface StoredDataLocation {
  readonly path: string;
  readonly measure: () => Promise<Outcome<Pick<StoredData, 'count' | 'bytes'>>>;
  readonly clear: () => Promise<Outcome<undefined>>;
}

export type StoredDataLocations = Readonly<Record<StoredDataKind, StoredDataLocation>>;

/** What the requests about stored data do. */
export function createPrivacyHandlers(places: StoredDataLocations): PrivacyHandlers {
  const all = (): Promise<readonly StoredData[]> =>
    Promise.all(
      storedDataKinds.map(async (kind) => {
        const { path, measure } = places[kind];
        return { kind, place: path, ...unwrap(await measure()) };
      }),
    );

  return {
    storedData: all,
    deleteStoredData: async ({ kind }) => {
      const kinds = kind === 'all' ? storedDataKinds : [kind];
      // One that fails holds up none of the others.
      const cleared = await Promise.all(kinds.map((each) => places[each].clear()));
      for (const outcome of cleared) unwrap(outcome);
      return all();
    },
  };
}
