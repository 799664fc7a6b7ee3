/** Formats that need only text. */
export const textExports = ['md', 'txt', 'json', 'vtt', 'srt'] as const;
export type TextExport = (typeof textExports)[number];

/** All formats: text, captions, sound, video, a zip of these, or the tape as one file. */
export const exportForms = [...textExports, 'wav', 'flac', 'mp4', 'zip', 'parleytape'] as const;
export type ExportForm = (typeof exportForms)[number];

export function isTextExport(as: ExportForm): as is TextExport {
  return textExports.some((text) => text === as);
}

/** Whether ffmpeg makes this format. */
export function takesFfmpeg(as: ExportForm): boolean {
  return as === 'flac' || as === 'mp4';
}

/** Whether the format contains both voices, so that they can be mixed. */
export function hasVoices(as: ExportForm): boolean {
  return as === 'wav' || as === 'flac' || as === 'mp4' || as === 'zip';
}

export type ExportOrigin =
  /** A talk: its tape if there is one, otherwise its text. */
  | { readonly kind: 'talk'; readonly id: string }
  /** A written conversation, stored or not. */
  | { readonly kind: 'chat'; readonly id: string }
  /** The tape open for replay. */
  | { readonly kind: 'replay' };

export interface ExportOffer {
  readonly forms: readonly ExportForm[];
  /** Whether ffmpeg is installed; FLAC and video need it. */
  readonly ffmpeg: boolean;
}

export type ExportResult =
  | { readonly kind: 'file'; readonly path: string }
  /** The browser can download it once, for a limited time. */
  | { readonly kind: 'download'; readonly href: string; readonly name: string }
  /** The user chose no place. */
  | { readonly kind: 'unplaced' };
