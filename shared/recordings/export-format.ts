import { type Language, languageIds } from '../i18n/languages.ts';

/** Formats that need only text. */
export const textExports = ['md', 'txt', 'json', 'vtt', 'srt'] as const;
export type TextExport = (typeof textExports)[number];

/** All formats: text, captions, sound, video, a zip with everything that the talk or chat has, or the tape as one file. */
export const exportFormats = [...textExports, 'wav', 'flac', 'mp4', 'zip', 'parleytape'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** The language of the words that Parley adds, such as headings: the one that the page shows. */
export const exportLanguages = languageIds;
export type ExportLanguage = Language;

export function isTextExport(format: ExportFormat): format is TextExport {
  return textExports.some((text) => text === format);
}

/** Whether ffmpeg makes this format. */
export function takesFfmpeg(format: ExportFormat): boolean {
  return format === 'flac' || format === 'mp4';
}

/** Whether the format contains both voices, so that they can be mixed. */
export function hasVoices(format: ExportFormat): boolean {
  return format === 'wav' || format === 'flac' || format === 'mp4' || format === 'zip';
}

export type ExportOrigin =
  /** A talk: its tape if there is one, otherwise its text. */
  | { readonly kind: 'talk'; readonly id: string }
  /** A written conversation, stored or not. */
  | { readonly kind: 'chat'; readonly id: string }
  /** The tape open for replay. */
  | { readonly kind: 'replay' };

export interface ExportOffer {
  readonly formats: readonly ExportFormat[];
  /** Whether ffmpeg is installed; FLAC and video need it. */
  readonly ffmpeg: boolean;
}

export type ExportResult =
  | { readonly kind: 'file'; readonly path: string }
  /** The browser can download it once, for a limited time. */
  | { readonly kind: 'download'; readonly href: string; readonly name: string }
  /** The user cancelled the save dialog. */
  | { readonly kind: 'cancelled' };
