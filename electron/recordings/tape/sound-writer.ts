import {
  encodeSamples,
  encodeWavHeader,
  type WavEncoding,
} from '../../../shared/audio/encode-wav.ts';
import type { Outcome } from '../../../shared/errors/app-error.ts';
import type { FileWriter } from '../../../shared/ports/files.ts';
import { samplesOf, type TapeSound } from './tape-sound.ts';
import { tapeFiles, writtenCoding } from './tape.ts';

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
  readonly coding: WavEncoding['coding'];
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

/** What a recorder calls the sounds that its lines refer to, now and when it wrote FLAC. */
export const playedSoundNames: readonly string[] = [
  tapeFiles.microphone,
  tapeFiles.answer,
  'microphone.flac',
  'answer.flac',
];

/** What a copy of a sound is called: one in FLAC becomes a WAV file, unless the tape has another of that name. */
export function copyName(name: string, sounds: ReadonlyMap<string, TapeSound>): string {
  const wav = name.replace(/\.flac$/u, '.wav');
  return sounds.has(wav) ? name : wav;
}

/** Writes a sound as a WAV file, of which never more is held than a block. */
export async function copySound(
  sound: TapeSound,
  file: FileWriter,
  samplesAtOnce = 1_000_000,
  change = (samples: Float32Array): Float32Array => samples,
): Promise<Outcome<undefined>> {
  const track = openWavWriter(file, { rate: sound.rate, coding: writtenCoding(sound.coding) });
  for (let from = 0; from < sound.samples; from += samplesAtOnce) {
    const count = Math.min(samplesAtOnce, sound.samples - from);
    track.write(change(samplesOf(sound, from, count)));
    // Waits until they are written.
    const written = await file.resume();
    if (!written.ok) return written;
  }
  return track.finish();
}
