/** Formats that need only text. */
export const textExports = ['md', 'txt', 'json', 'vtt', 'srt'] as const;
export type TextExport = (typeof textExports)[number];

/** All formats: text, captions, sound, video, a zip with text, sound and video, or the tape as one file. */
export const exportForms = [...textExports, 'wav', 'flac', 'mp4', 'zip', 'parleytape'] as const;
export type ExportForm = (typeof exportForms)[number];

export function isTextExport(form: ExportForm): form is TextExport {
  return textExports.some((text) => text === form);
}

/** Whether ffmpeg makes this format. */
export function takesFfmpeg(form: ExportForm): boolean {
  return form === 'flac' || form === 'mp4';
}

/** Whether the format contains both voices, so that they can be mixed. */
export function hasVoices(form: ExportForm): boolean {
  return form === 'wav' || form === 'flac' || form === 'mp4' || form === 'zip';
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
  /** The user cancelled the save dialog. */
  | { readonly kind: 'cancelled' };
