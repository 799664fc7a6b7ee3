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
