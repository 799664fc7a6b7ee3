import { createRequire } from 'node:module';
import type * as Library from '@alexanderolsen/libsamplerate-js';
import { resample, SincResampler } from '../../../electron/audio/dsp/sinc-resampler.ts';

const require = createRequire(import.meta.url);

export interface BenchedResampler {
  readonly convert: (block: Float32Array) => Float32Array;
  readonly close: () => void;
}

export interface ResamplerKind {
  readonly name: string;
  readonly open: (from: number, to: number) => Promise<BenchedResampler>;
}

function libsamplerate(quality: keyof typeof Library.ConverterType): ResamplerKind['open'] {
  return async (from, to) => {
    // Loaded at first use, so that the measurement includes loading.
    const library = require('@alexanderolsen/libsamplerate-js') as typeof Library;
    const converterType = library.ConverterType[quality];
    const source = await library.create(1, from, to, { converterType });
    return {
      convert: (block) => source.full(block),
      close: () => {
        source.destroy();
      },
    };
  };
}

const nothing = (): void => undefined;

/** The library comes first, so that its loading counts for it. */
export const resamplerKinds: readonly ResamplerKind[] = [
  { name: 'libsamplerate, best', open: libsamplerate('SRC_SINC_BEST_QUALITY') },
  { name: 'libsamplerate, middle', open: libsamplerate('SRC_SINC_MEDIUM_QUALITY') },
  { name: 'libsamplerate, fastest', open: libsamplerate('SRC_SINC_FASTEST') },
  {
    name: 'each block by itself',
    open: (from, to) =>
      Promise.resolve({ convert: (block) => resample(block, from, to), close: nothing }),
  },
  {
    name: 'SincResampler',
    open: (from, to) => {
      const { convert } = new SincResampler(from, to);
      return Promise.resolve({ convert, close: nothing });
    },
  },
];
