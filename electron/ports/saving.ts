import type { ExportResult } from '../../shared/export/export-origin.ts';
import type { Outcome } from './outcome.ts';

/** How a host lets a person keep a file of their own. */
export type SaveWay =
  /** A dialog of the system's, which asks before it takes a name that is there; nothing where it was closed. */
  | {
      readonly kind: 'dialog';
      readonly choose: (name: string) => Promise<string | undefined>;
      /** For several files that belong together. */
      readonly chooseFolder: () => Promise<string | undefined>;
    }
  /** A browser fetches it: from where, once and for a while. */
  | { readonly kind: 'download'; readonly offer: (path: string, name: string) => string };

/** A place that a person has named, or one from which a browser fetches. */
export interface SavePlace {
  /** Where the file is to be written first. */
  readonly draft: string;
  /** What it will be called. */
  readonly path: string;
  /** It is whole. */
  readonly keep: () => Promise<Outcome<ExportResult>>;
  /** Nothing of it is left, and what stood there before stays. */
  readonly drop: () => Promise<void>;
}

/** Asks where; nothing where the person thought better of it. */
export type ChooseSavePlace = (name: string) => Promise<SavePlace | undefined>;
