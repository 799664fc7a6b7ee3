import type { Outcome } from '../../../shared/errors/app-error.ts';
import type { StoredText, StoredVersion } from '../../../shared/ports/files.ts';

/** The folders of talks: of each its text and its pictures. What is in the text does not concern the store. */
export interface TalkStore {
  /** The folder that they stand in. */
  readonly path: string;
  /** Those that have a text, in no order. Links are none of Parley's, and are not followed. */
  readonly list: () => Promise<Outcome<readonly StoredVersion[]>>;
  readonly read: (id: string) => Promise<Outcome<StoredText>>;
  /** Takes the place of what was there, whole or not at all. */
  readonly write: (id: string, text: string) => Promise<Outcome<undefined>>;
  readonly writePicture: (
    id: string,
    file: string,
    jpeg: Uint8Array,
  ) => Promise<Outcome<undefined>>;
  readonly readPicture: (id: string, file: string) => Promise<Outcome<Uint8Array>>;
  /** For good, with everything in its folder. */
  readonly remove: (id: string) => Promise<Outcome<undefined>>;
}
