import { encodeSamples } from '../../../shared/wav/encode-wav.ts';
import { encodeWavHeader } from '../../../shared/wav/encode-wav-header.ts';
import type { FileWriter } from '../../ports/files.ts';
import type { Outcome } from '../../ports/outcome.ts';

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
