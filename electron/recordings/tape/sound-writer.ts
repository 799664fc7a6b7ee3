import {
  encodeSamples,
  encodeWavHeader,
  type WavEncoding,
} from '../../../shared/audio/encode-wav.ts';
import type { Outcome } from '../../../shared/errors/app-error.ts';
import type { FileWriter } from '../../../shared/ports/files.ts';
import { readSamples, type TapeSound } from './tape-sound.ts';
import { tapeFiles, losslessCoding } from './tape.ts';

export interface WavWriter {
  /** Writes interleaved samples. They are copied before the call returns. */
  readonly write: (samples: Float32Array) => void;
  readonly samplesWritten: number;
  readonly finish: () => Promise<Outcome<undefined>>;
}

export interface WavWriterOptions {
  readonly rate: number;
  readonly channels?: number | undefined;
  readonly coding: WavEncoding['coding'];
}

/** Writes a WAV file. Updates the header after each second of sound, so that a killed recorder leaves a readable file. */
export function openWavWriter(
  file: FileWriter,
  { rate, channels = 1, coding }: WavWriterOptions,
): WavWriter {
  const encoding = { rate, channels, coding };
  let written = 0;
  let headerSamples = 0;
  const updateHeader = (): void => {
    file.writeAt(0, encodeWavHeader(encoding, written));
    headerSamples = written;
  };

  file.append(encodeWavHeader(encoding, 0));
  return {
    write: (samples) => {
      file.append(encodeSamples(samples, coding));
      written += samples.length;
      if (written - headerSamples >= rate * channels) updateHeader();
    },
    get samplesWritten() {
      return written;
    },
    finish: () => {
      if (headerSamples !== written) updateHeader();
      return file.close();
    },
  };
}

/** Names of the recorded sounds, current and from older versions. */
export const playedSoundNames: readonly string[] = [
  tapeFiles.microphone,
  tapeFiles.answer,
  'microphone.flac',
  'answer.flac',
];

/** Name for a copied sound: FLAC becomes WAV unless that name is taken. */
export function copyName(name: string, sounds: ReadonlyMap<string, TapeSound>): string {
  const wav = name.replace(/\.flac$/u, '.wav');
  return sounds.has(wav) ? name : wav;
}

/** Writes a sound as WAV, a block at a time. */
export async function copySound(
  sound: TapeSound,
  file: FileWriter,
  samplesAtOnce = 1_000_000,
  change = (samples: Float32Array): Float32Array => samples,
): Promise<Outcome<undefined>> {
  const track = openWavWriter(file, { rate: sound.rate, coding: losslessCoding(sound.coding) });
  for (let from = 0; from < sound.samples; from += samplesAtOnce) {
    const count = Math.min(samplesAtOnce, sound.samples - from);
    track.write(change(readSamples(sound, from, count)));
    const written = await file.resume();
    if (!written.ok) return written;
  }
  return track.finish();
}
