/** What can be made of words alone. */
export const textExports = ['md', 'txt', 'json', 'vtt', 'srt'] as const;
export type TextExport = (typeof textExports)[number];

/** What can be made of a talk: its words, its captions, its sound, a video, all of these, or its tape as one file. */
export const exportForms = [...textExports, 'wav', 'flac', 'mp4', 'zip', 'parleytape'] as const;
export type ExportForm = (typeof exportForms)[number];

export function isTextExport(as: ExportForm): as is TextExport {
  return textExports.some((text) => text === as);
}

/** What ffmpeg is needed for. */
export function takesFfmpeg(as: ExportForm): boolean {
  return as === 'flac' || as === 'mp4';
}

/** Those that have sound in them, of which there are two voices. */
export function hasVoices(as: ExportForm): boolean {
  return as === 'wav' || as === 'flac' || as === 'mp4' || as === 'zip';
}

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
