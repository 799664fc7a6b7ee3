/** Longer blocks are processed in pieces, to bound the buffer. */
const pieceSamples = 4096;

/**
 * A polyphase windowed-sinc resampler. It outputs a sample once `reach` later input samples have come, without a shift
 * in time.
 */
export class SincResampler {
  /** Number of later samples that each output sample needs. */
  readonly reach: number;
  readonly #up: number;
  readonly #down: number;
  readonly #kernel: SincKernel;
  /** Starts with the first sample that is still needed. */
  readonly #buffer: Float32Array;
  #count = 0;
  #phase = 0;

  constructor(from: number, to: number) {
    if (!isRate(from) || !isRate(to)) {
      throw new RangeError(`Sound cannot be converted from ${from} to ${to} Hz.`);
    }
    const common = greatestCommonDivisor(from, to);
    this.#up = to / common;
    this.#down = from / common;
    this.#kernel = new SincKernel(Math.min(1, to / from), this.#up);
    this.reach = this.#kernel.reach;
    this.#buffer = new Float32Array(2 * this.reach + pieceSamples);
    this.restart();
  }

  readonly convert = (block: Float32Array): Float32Array => {
    const converted = new Float32Array(this.#outputLength(block.length));
    this.convertInto(block, converted);
    return converted;
  };

  /** Writes into a buffer that is large enough, and returns the number of samples written. */
  convertInto(block: Float32Array, converted: Float32Array): number {
    let written = 0;
    for (let at = 0; at < block.length; at += pieceSamples) {
      const piece = block.subarray(at, at + pieceSamples);
      this.#buffer.set(piece, this.#count);
      this.#count += piece.length;
      written = this.#write(converted, written);
    }
    return written;
  }

  /** Discards all sound. The next sound is treated as if samples of the value `before` preceded it. */
  readonly restart = (before = 0): void => {
    this.#buffer.fill(before, 0, this.reach);
    this.#count = this.reach;
    this.#phase = 0;
  };

  #outputLength(inputLength: number): number {
    const positions = this.#count + inputLength - 2 * this.reach + 1;
    return positions <= 0 ? 0 : Math.ceil((positions * this.#up - this.#phase) / this.#down);
  }

  #write(converted: Float32Array, from: number): number {
    const buffer = this.#buffer;
    const end = this.#count - 2 * this.reach;
    let phase = this.#phase;
    let first = 0;
    let written = from;
    while (first <= end) {
      const row = this.#kernel.row(phase);
      converted[written] = dotProduct(buffer, first, row, 0, row.length);
      written += 1;
      phase += this.#down;
      const steps = Math.floor(phase / this.#up);
      first += steps;
      phase -= steps * this.#up;
    }
    buffer.copyWithin(0, first, this.#count);
    this.#count -= first;
    this.#phase = phase;
    return written;
  }
}

/**
 * Multiplies `count` samples by their weights and adds the products, in four independent sums that the processor can
 * compute in parallel.
 */
export function dotProduct(
  samples: Float32Array,
  from: number,
  weights: Float32Array,
  first: number,
  count: number,
): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let n = 0;
  for (; n + 4 <= count; n += 4) {
    const sample = from + n;
    const weight = first + n;
    a += (samples[sample] ?? 0) * (weights[weight] ?? 0);
    b += (samples[sample + 1] ?? 0) * (weights[weight + 1] ?? 0);
    c += (samples[sample + 2] ?? 0) * (weights[weight + 2] ?? 0);
    d += (samples[sample + 3] ?? 0) * (weights[weight + 3] ?? 0);
  }
  for (; n < count; n += 1) a += (samples[from + n] ?? 0) * (weights[first + n] ?? 0);
  return a + b + (c + d);
}

function isRate(rate: number): boolean {
  return Number.isInteger(rate) && rate > 0;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

/** Sound that is read in parts, so the whole never has to be in memory. */
export interface SoundSource {
  readonly length: number;
  /** The samples from `from` to `to`, both within the sound; valid until the next call. */
  readonly part: (from: number, to: number) => Float32Array;
}

/** Samples read at a time, which bounds the memory needed. */
const blockLength = 8192;

/** Resamples a whole sound. Its edges are extended with their own value, so they do not fade. */
export function resample(samples: Float32Array, from: number, to: number): Float32Array {
  const part: SoundSource['part'] = (start, end) => samples.subarray(start, end);
  return resampleSource({ length: samples.length, part }, from, to);
}

/** Resamples a source block by block, which bounds the memory needed. */
export function resampleSource(source: SoundSource, from: number, to: number): Float32Array {
  const { length, part } = source;
  const result = new Float32Array(Math.ceil((length * to) / from));
  if (length === 0) return result;
  const blocks = function* (): Generator<Float32Array, void, undefined> {
    for (let start = 0; start < length; start += blockLength) {
      yield part(start, Math.min(start + blockLength, length));
    }
  };
  let written = 0;
  if (from === to) {
    for (const block of blocks()) {
      result.set(block, written);
      written += block.length;
    }
    return result;
  }
  const resampler = new SincResampler(from, to);
  resampler.restart(part(0, 1)[0]);
  for (const block of blocks()) written += resampler.convertInto(block, result.subarray(written));
  const padding = new Float32Array(resampler.reach).fill(part(length - 1, length)[0] ?? 0);
  result.set(resampler.convert(padding).subarray(0, result.length - written), written);
  return result;
}

/** A resampler with a delay. It also returns the capture time of each output block. */
export class TimedResampler {
  readonly #resampler: SincResampler;
  readonly #from: number;
  readonly #to: number;
  #receivedSamples = 0;
  #emittedSamples = 0;

  constructor(from: number, to: number) {
    this.#resampler = new SincResampler(from, to);
    this.#from = from;
    this.#to = to;
  }

  /** How much later than its input the output is. */
  get delayMs(): number {
    return (this.#resampler.reach * 1000) / this.#from;
  }

  convert(block: Float32Array, at: number): { readonly block: Float32Array; readonly at: number } {
    const delaySeconds = this.#receivedSamples / this.#from - this.#emittedSamples / this.#to;
    const converted = this.#resampler.convert(block);
    this.#receivedSamples += block.length;
    this.#emittedSamples += converted.length;
    return { block: converted, at: at - delaySeconds * 1000 };
  }
}

/** Zero crossings of the sinc on each side: more of them make the filter steeper and slower. */
const defaultCrossings = 41;
/** Kaiser's β, for about 100 dB of stopband attenuation. */
const beta = 10;
/**
 * Cutoff, as a share of the lower Nyquist frequency. The transition band then ends at that frequency, which prevents
 * aliasing.
 */
const passband = 0.92;

/**
 * The windowed sinc of a resampler: a low-pass at `ratio` of the Nyquist frequency. Its rows are computed on demand.
 */
export class SincKernel {
  readonly reach: number;
  readonly #cutoff: number;
  readonly #half: number;
  readonly #phases: number;
  readonly #rows: (Float32Array | undefined)[] = [];

  /** `phases` is the number of positions between two samples. */
  constructor(ratio: number, phases: number, crossings = defaultCrossings) {
    this.#cutoff = ratio * passband;
    this.#half = crossings / this.#cutoff;
    this.#phases = phases;
    this.reach = Math.ceil(this.#half) + 1;
  }

  /** The weights around a point `phase` positions after a sample; they sum to 1. */
  row(phase: number): Float32Array {
    return (this.#rows[phase] ??= this.#weights(phase / this.#phases));
  }

  #weights(fraction: number): Float32Array {
    const weights = new Float64Array(2 * this.reach);
    let sum = 0;
    for (let tap = 0; tap < weights.length; tap += 1) {
      const distance = tap - this.reach - fraction;
      const weight = sinc(distance * this.#cutoff) * kaiser(distance / this.#half);
      weights[tap] = weight;
      sum += weight;
    }
    return Float32Array.from(weights, (weight) => weight / sum);
  }
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function kaiser(x: number): number {
  return Math.abs(x) >= 1 ? 0 : bessel(beta * Math.sqrt(1 - x * x)) / besselOfBeta;
}

/** The modified Bessel function I₀, by its series. */
function bessel(x: number): number {
  const quarter = (x * x) / 4;
  let sum = 1;
  let term = 1;
  for (let k = 1; term > sum * 1e-12; k += 1) {
    term *= quarter / (k * k);
    sum += term;
  }
  return sum;
}

const besselOfBeta = bessel(beta);
