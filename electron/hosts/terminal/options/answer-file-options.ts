import { toSrt, toVtt } from '../../../conversation/captions/subtitle-files.ts';
import type { Cue } from '../../../conversation/captions/caption-cue.ts';
import { UsageError } from '../exit-code.ts';
import type { CommandSpec } from './command-spec.ts';

const captionWriters = { vtt: toVtt, srt: toSrt } as const;

export interface CaptionFile {
  readonly path: string;
  readonly write: (cues: readonly Cue[]) => string;
}

/** Where what was heard goes. */
export const answerFileOptions = {
  output: {
    value: 'OUT.wav',
    file: true,
    about: 'what was heard, on the time line of the session',
  },
  captions: {
    value: 'OUT.vtt|OUT.srt',
    file: true,
    read: readCaptionFile,
    about: 'the captions, in the format that the name ends with',
  },
} as const satisfies CommandSpec['options'];

function readCaptionFile(path: string): CaptionFile {
  const format = /\.(vtt|srt)$/i.exec(path)?.[1]?.toLowerCase();
  if (format === 'vtt' || format === 'srt') return { path, write: captionWriters[format] };
  throw new UsageError(`--captions takes a file that ends in .vtt or .srt, not "${path}".`);
}
