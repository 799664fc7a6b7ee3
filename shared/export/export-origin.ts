import type { ExportForm } from './export-form.ts';

/** What an export is made of. */
export type ExportOrigin =
  /** A talk by its id: of its tape where that is kept, else of its text. */
  | { readonly kind: 'talk'; readonly id: string }
  /** A written conversation, also one that is not stored. */
  | { readonly kind: 'chat'; readonly id: string }
  /** The tape that is open to be played. */
  | { readonly kind: 'replay' };

/** What can be made of it. */
export interface ExportOffer {
  readonly forms: readonly ExportForm[];
  /** Sound in FLAC and video take a program that may not be there. */
  readonly ffmpeg: boolean;
}

/** What became of an export. */
export type ExportResult =
  | { readonly kind: 'file'; readonly path: string }
  /** It waits there for the browser, once and for a while. */
  | { readonly kind: 'download'; readonly href: string; readonly name: string }
  /** The person has named no place for it. */
  | { readonly kind: 'unplaced' };
