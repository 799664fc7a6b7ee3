import type { Outcome } from '../../../shared/errors/app-error.ts';
import type { StoredText, StoredVersion } from '../../../shared/ports/files.ts';

/** Stores talk folders with text and pictures. It does not interpret the text. */
export interface TalkStore {
  readonly path: string;
  /** Folders with a text, unordered. Symbolic links are skipped. */
  readonly list: () => Promise<Outcome<readonly StoredVersion[]>>;
  readonly read: (id: string) => Promise<Outcome<StoredText>>;
  /** Replaces the text atomically. */
  readonly write: (id: string, text: string) => Promise<Outcome<undefined>>;
  readonly writePicture: (
    id: string,
    file: string,
    jpeg: Uint8Array,
  ) => Promise<Outcome<undefined>>;
  readonly readPicture: (id: string, file: string) => Promise<Outcome<Uint8Array>>;
  readonly remove: (id: string) => Promise<Outcome<undefined>>;
}
