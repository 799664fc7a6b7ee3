import { encodeSamples, encodeWavHeader } from '../../../shared/audio/encode-wav.ts';
import type { Outcome } from '../../../shared/errors/app-error.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { FileWriter } from '../../../shared/ports/files.ts';
import { type TapeCoding, tapeCodings } from '../../../shared/recordings/talk-keeping.ts';
import { encodeFlacFrame } from '../flac/encode-flac-frame.ts';
import { encodeFlacHead, type FlacStreamInfo, maxFlacBlock } from '../flac/flac-format.ts';
import { tapeFiles } from './tape.ts';

export interface WavWriter {
  /** Samples, of several channels in turn; they are taken over before the call returns. */
  readonly write: (samples: Float32Array) => void;
  readonly samplesWritten: number;
  /** Sets the lengths right and closes the file. */
  readonly finish: () => Promise<Outcome<undefined>>;
}

export interface WavWriterOptions {
  readonly rate: number;
  /** One, where it is left out. */
  readonly channels?: number | undefined;
  readonly coding: 'pcm16' | 'float32';
}

/** A WAV file that grows; its header is never more than a second of sound behind. */
export function openWavWriter(
  file: FileWriter,
  { rate, channels = 1, coding }: WavWriterOptions,
): WavWriter {
  const plan = { rate, channels, coding };
  let written = 0;
  let told = 0;
  const tellLength = (): void => {
    file.writeAt(0, encodeWavHeader(plan, written));
    told = written;
  };

  file.append(encodeWavHeader(plan, 0));
  return {
    write: (samples) => {
      file.append(encodeSamples(samples, coding));
      written += samples.length;
      if (written - told >= rate * channels) tellLength();
    },
    get samplesWritten() {
      return written;
    },
    finish: () => {
      if (told !== written) tellLength();
      return file.close();
    },
  };
}

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

interface WaitingBlock {
  /** The number of its first sample in the file. */
  readonly first: number;
  /** Of several channels in turn. */
  readonly pcm: Int16Array;
}

/**
 * A FLAC file of 16 bit that grows, frame by frame, and of which nothing is held back until more comes.
 *
 * @param clock where what is written must not wait: frames are made right after that, one at a time
 */
export function openFlacWriter(
  file: FileWriter,
  info: FlacStreamInfo,
  clock?: Pick<Clock, 'after'>,
): WavWriter {
  const { rate, channels } = info;
  const waiting: WaitingBlock[] = [];
  let written = 0;
  let stopWaiting: (() => void) | undefined;

  const encodeNext = (): void => {
    const block = waiting.shift();
    if (block === undefined) return;
    file.append(encodeFlacFrame(sidesOf(block.pcm, channels), block.first, rate));
  };
  const encodeLater = (): void => {
    stopWaiting ??= clock?.after(0, () => {
      stopWaiting = undefined;
      encodeNext();
      if (waiting.length > 0) encodeLater();
    });
  };

  file.append(encodeFlacHead(info, 0));
  return {
    write: (samples) => {
      const pcm = new Int16Array(encodeSamples(samples, 'pcm16').buffer);
      for (const { from, frames } of blocksOf(pcm.length / channels)) {
        const part = pcm.subarray(from * channels, (from + frames) * channels);
        waiting.push({ first: written / channels + from, pcm: part });
      }
      written += samples.length;
      if (clock !== undefined) encodeLater();
      else while (waiting.length > 0) encodeNext();
    },
    get samplesWritten() {
      return written;
    },
    finish: () => {
      stopWaiting?.();
      while (waiting.length > 0) encodeNext();
      file.writeAt(0, encodeFlacHead(info, written / channels));
      return file.close();
    },
  };
}

function sidesOf(pcm: Int16Array, channels: number): readonly Int32Array[] {
  // One alone need not be told from another.
  if (channels === 1) return [new Int32Array(pcm)];
  return Array.from({ length: channels }, (_none, channel) => {
    const side = new Int32Array(pcm.length / channels);
    for (let n = 0, at = channel; n < side.length; n += 1, at += channels) side[n] = pcm[at] ?? 0;
    return side;
  });
}

/** Of nearly the same length, so that none is short. */
function blocksOf(frames: number): readonly { readonly from: number; readonly frames: number }[] {
  const count = Math.ceil(frames / maxFlacBlock);
  return Array.from({ length: count }, (_none, n) => {
    const from = Math.round((frames * n) / count);
    return { from, frames: Math.round((frames * (n + 1)) / count) - from };
  });
}
