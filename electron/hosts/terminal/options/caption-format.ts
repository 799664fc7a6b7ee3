import { toSrt, toVtt } from '../../../conversation/captions/subtitle-files.ts';
import type { Cue } from '../../../conversation/captions/caption-cue.ts';
import { UsageError } from '../terminal-command.ts';

export type CaptionFormat = keyof typeof writers;

const writers = { vtt: toVtt, srt: toSrt } as const;

/** Which kind of captions a file is to hold, by its name. */
export function captionFormatOf(path: string): CaptionFormat {
  const ending = /\.(vtt|srt)$/i.exec(path)?.[1]?.toLowerCase();
  if (ending === 'vtt' || ending === 'srt') return ending;
  throw new UsageError(`--captions takes a file that ends in .vtt or .srt, not "${path}".`);
}

export function captionFile(cues: readonly Cue[], format: CaptionFormat): string {
  return writers[format](cues);
}
