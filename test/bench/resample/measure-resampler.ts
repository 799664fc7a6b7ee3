import type * as Library from '@alexanderolsen/libsamplerate-js';
import { createRequire } from 'node:module';
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

const level = 0.5;
const blocksPerSecond = 50;

/** Frequencies that must pass, as shares of the Nyquist frequency. */
const band = [0.8, 0.875, 0.9];
/** Frequencies that must be removed, as shares of the lower Nyquist frequency. */
const beyond = [1, 1.02, 1.1, 1.3, 1.7];

/** Measures distortion of a tone, loss in the upper band, and aliases or images. */
export async function measureQuality(
  kind: ResamplerKind,
  from: number,
  to: number,
): Promise<readonly string[]> {
  const half = Math.min(from, to) / 2;
  const through = async (hertz: number): Promise<Float32Array> => {
    const resampler = await kind.open(from, to);
    const sound = convertInBlocks(resampler.convert, sine(hertz, from, 2), from);
    resampler.close();
    return sound;
  };
  const gains: string[] = [];
  for (const share of band) {
    gains.push(fitTone(await through(half * share), half * share, to).gainDb.toFixed(2));
  }
  let worst = -Infinity;
  for (const share of beyond) {
    // Downsampling: a tone above the new band. Upsampling: the image of a tone as far below.
    const hertz = to < from ? half * share + 0.4 : half * Math.max(0.2, 2 - share) - 0.4;
    if (hertz > from / 2) continue;
    const sound = await through(hertz);
    const spurious = to < from ? levelDb(sound) : fitTone(sound, hertz, to).noiseDb;
    worst = Math.max(worst, spurious);
  }
  const tone = fitTone(await through(1000), 1000, to);
  return [
    `SNR ${(tone.signalDb - tone.noiseDb).toFixed(0)} dB`,
    `${band.map((share) => `${share * 100} %`).join(', ')} of the band ${gains.join(', ')} dB`,
    `${to < from ? 'aliases' : 'images'} ${worst.toFixed(0)} dB`,
  ];
}

function convertInBlocks(
  convert: (block: Float32Array) => Float32Array,
  sound: Float32Array,
  rate: number,
): Float32Array {
  const length = rate / blocksPerSecond;
  const parts: Float32Array[] = [];
  for (let at = 0; at < sound.length; at += length) {
    parts.push(convert(sound.subarray(at, at + length)));
  }
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function sine(hertz: number, rate: number, seconds: number): Float32Array {
  const step = (2 * Math.PI * hertz) / rate;
  return Float32Array.from({ length: rate * seconds }, (_, n) => level * Math.sin(step * n));
}

interface Fit {
  readonly gainDb: number;
  readonly signalDb: number;
  readonly noiseDb: number;
}

/** Fits a tone of any phase and returns its level and the residue, without the edges. */
function fitTone(whole: Float32Array, hertz: number, rate: number): Fit {
  const sound = middleOf(whole);
  const step = (2 * Math.PI * hertz) / rate;
  let [ss, sc, cc, xs, xc, xx] = [0, 0, 0, 0, 0, 0];
  for (const [n, x] of sound.entries()) {
    const [s, c] = [Math.sin(step * n), Math.cos(step * n)];
    ss += s * s;
    sc += s * c;
    cc += c * c;
    xs += x * s;
    xc += x * c;
    xx += x * x;
  }
  const determinant = ss * cc - sc * sc;
  const inSine = (xs * cc - xc * sc) / determinant;
  const inCosine = (xc * ss - xs * sc) / determinant;
  let noise = 0;
  for (const [n, x] of sound.entries()) {
    noise += (x - inSine * Math.sin(step * n) - inCosine * Math.cos(step * n)) ** 2;
  }
  return {
    gainDb: 20 * Math.log10(Math.hypot(inSine, inCosine) / level),
    signalDb: relativeDb((xx - noise) / sound.length),
    noiseDb: relativeDb(noise / sound.length),
  };
}

function levelDb(whole: Float32Array): number {
  const sound = middleOf(whole);
  return relativeDb(sound.reduce((sum, x) => sum + x * x, 0) / sound.length);
}

/** Relative to the input tone. */
function relativeDb(square: number): number {
  return 10 * Math.log10(Math.max(square, 1e-30) / ((level * level) / 2));
}

function middleOf(sound: Float32Array): Float32Array {
  return sound.subarray(sound.length / 10, (sound.length * 9) / 10);
}

const seconds = 2;
const rounds = 9;

/** Measures latency, time to the first block, and cost per second of sound. */
export async function measureCost(
  kind: ResamplerKind,
  from: number,
  to: number,
): Promise<readonly string[]> {
  const sound = sine(440, from, seconds);
  const before = performance.now();
  const resampler = await kind.open(from, to);
  resampler.convert(sound.subarray(0, from / 50));
  const firstMs = performance.now() - before;
  const costs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = process.cpuUsage();
    convertInBlocks(resampler.convert, sound, from);
    const { user, system } = process.cpuUsage(start);
    costs.push((user + system) / seconds);
  }
  resampler.close();
  const fastest = Math.min(...costs);
  return [
    `delay ${(await delayMs(kind, from, to)).toFixed(2)} ms`,
    `first block ${firstMs.toFixed(1)} ms`,
    `${(fastest / 1000).toFixed(1)} ms of CPU a second`,
  ];
}

async function delayMs(kind: ResamplerKind, from: number, to: number): Promise<number> {
  const resampler = await kind.open(from, to);
  const got = resampler.convert(new Float32Array(from)).length;
  resampler.close();
  return ((to - got) / to) * 1000;
}
