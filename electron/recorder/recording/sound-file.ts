import { tapeCodings } from '../../../shared/replay/tape-coding.ts';
import type { TapeCoding } from '../../../shared/replay/tape-coding.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FileWriter } from '../../ports/files.ts';
import { openFlacWriter } from './flac/flac-writer.ts';
import { tapeFiles } from './tape.ts';
import { openWavWriter } from './wav-writer.ts';
import type { WavWriter } from './wav-writer.ts';

interface SoundFileOptions {
  readonly rate: number;
  /** One, where it is left out. */
  readonly channels?: number | undefined;
  readonly coding: TapeCoding;
}

/** One of a tape's files of sound, which grows. With a clock nobody waits for the coder. */
export function openSoundFile(
  file: FileWriter,
  options: SoundFileOptions,
  clock?: Pick<Clock, 'after'>,
): WavWriter {
  const { rate, channels = 1, coding } = options;
  return coding === 'flac'
    ? openFlacWriter(file, { rate, channels }, clock)
    : openWavWriter(file, { rate, channels, coding });
}

/** What such a file is called. */
export function soundFileName(
  sound: 'microphone' | 'answer' | 'bothSides',
  coding: TapeCoding,
): string {
  const name = tapeFiles[sound];
  return coding === 'flac' ? name.replace(/\.wav$/u, '.flac') : name;
}

/** What a recorder calls the sounds that its lines refer to, in each of the codings. */
export const playedSoundNames: ReadonlySet<string> = new Set(
  tapeCodings.flatMap((coding) => [
    soundFileName('microphone', coding),
    soundFileName('answer', coding),
  ]),
);
