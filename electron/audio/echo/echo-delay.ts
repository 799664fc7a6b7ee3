import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { emptyHalfSpectrum, RealFft } from '../dsp/real-fft.ts';
import { shiftIn } from '../dsp/samples.ts';
import { echoBlockSamples } from './echo-canceller.ts';

const fftSize = 8192;
/** Speech is made flat by so much, or its pitch would be taken for a delay. */
const flatness = 0.8;
/** A peak must stand out so far from what else there is. */
const clear = 9;
const tiny = 1e-12;

/** Where one sound lies in another: their cross-correlation, by bins from one frequency to another. */
class Correlation {
  readonly #fft = new RealFft(fftSize);
  readonly #one = emptyHalfSpectrum(fftSize);
  readonly #other = emptyHalfSpectrum(fftSize);
  readonly #work = new Float32Array(fftSize);
  readonly #lowest: number;
  readonly #highest: number;
  #whole = 0;

  constructor(lowest: number, highest: number) {
    this.#lowest = lowest;
    this.#highest = highest;
  }

  /** How high a peak would be, were both the same. */
  get whole(): number {
    return this.#whole / fftSize;
  }

  /** How alike they are with the first sound at each place of the other; good until the next call. */
  of(first: Float32Array, second: Float32Array): Float32Array {
    this.#work.fill(0).set(first);
    this.#fft.forward(this.#work, this.#one);
    this.#work.fill(0).set(second);
    this.#fft.forward(this.#work, this.#other);
    this.#multiply();
    this.#fft.inverse(this.#one, this.#work);
    return this.#work;
  }

  #multiply(): void {
    const one = this.#one;
    const other = this.#other;
    this.#whole = tiny;
    for (let bin = 0; bin < one.re.length; bin += 1) {
      const ar = one.re[bin] ?? 0;
      const ai = one.im[bin] ?? 0;
      const br = other.re[bin] ?? 0;
      const bi = other.im[bin] ?? 0;
      const size = Math.sqrt((ar * ar + ai * ai) * (br * br + bi * bi)) + tiny;
      const weight = bin < this.#lowest || bin > this.#highest ? 0 : size ** -flatness;
      this.#whole += 2 * weight * size;
      one.re[bin] = weight * (ar * br + ai * bi);
      one.im[bin] = weight * (ar * bi - ai * br);
    }
  }
}

/** A quarter of the rate has all that tells one moment of speech from another. */
const coarse = 4;
const coarsePerMs = inputRate / coarse / 1000;
/** A delay is looked for in the last 1.2 s of what was captured… */
const windowSamples = 1200 * coarsePerMs;
/** …up to so much later than what is played now. */
const latestDelay = 600 * coarsePerMs;
const delayMemory = windowSamples + latestDelay;
/** After so many blocks with sound it is looked for, and again after as many. */
const lookEvery = 30;
/** The range of small loudspeakers, in bins: 150 to 1900 Hz. */
const lowestCoarse = Math.round((150 * fftSize * coarse) / inputRate);
const highestCoarse = Math.round((1900 * fftSize * coarse) / inputRate);
/** Twice it must be found at the same time. */
const sameMs = 2;

/**
 * Finds how late an echo comes, before anything is known of it: devices and sound servers hold sound for hundreds of
 * milliseconds and say nothing of it, and a filter models a quarter of a second only.
 */
export class EchoDelay {
  readonly #correlation = new Correlation(lowestCoarse, highestCoarse);
  readonly #captured = new Float32Array(delayMemory);
  readonly #played = new Float32Array(delayMemory);
  #sounded = 0;
  #before: number | undefined;

  reset(): void {
    this.#captured.fill(0);
    this.#played.fill(0);
    this.#sounded = 0;
    this.#before = undefined;
  }

  /** A block of both; returns how late the echo comes, in milliseconds, once that is clear. */
  follow(captured: Float32Array, played: Float32Array, isPlayed: boolean): number | undefined {
    shiftIn(this.#captured, coarsened(captured));
    shiftIn(this.#played, coarsened(played));
    if (!isPlayed) return undefined;
    this.#sounded += 1;
    if (this.#sounded % lookEvery > 0) return undefined;
    const found = this.#find();
    const before = this.#before;
    this.#before = found;
    const isSame = found !== undefined && before !== undefined && Math.abs(found - before) < sameMs;
    return isSame ? found : undefined;
  }

  /** The first place is that of the latest echo, the last one that of an echo at once. */
  #find(): number | undefined {
    const found = this.#correlation.of(this.#captured.subarray(latestDelay), this.#played);
    let best = 0;
    let sum = 0;
    for (let at = 0; at < latestDelay; at += 1) {
      const value = Math.abs(found[at] ?? 0);
      sum += value * value;
      if (value > Math.abs(found[best] ?? 0)) best = at;
    }
    const isClear = Math.abs(found[best] ?? 0) > clear * Math.sqrt(sum / latestDelay);
    return isClear ? (latestDelay - best) / coarsePerMs : undefined;
  }
}

/** At a quarter of the rate: what is above folds over, softly, and tells nothing. */
function coarsened(block: Float32Array): Float32Array {
  const samples = new Float32Array(echoBlockSamples / coarse);
  for (let n = 0; n < samples.length; n += 1) {
    let sum = 0;
    for (let k = 0; k < coarse; k += 1) sum += block[n * coarse + k] ?? 0;
    samples[n] = sum / coarse;
  }
  return samples;
}

/** A shift is looked for up to so much later… */
const latest = Math.round(0.1 * inputRate);
/** …and so much sooner… */
const soonest = Math.round(0.04 * inputRate);
/** …by what is heard of a loudspeaker, in bins. */
const [lowest, highest] = [100, 3400];
/** A peak must be so much of what it would be, were there nothing else. */
const leastShare = 0.2;
const edge = 16;

/**
 * Finds an echo again that comes later or sooner than was expected, as after a break of what is played: the way is
 * the same, so that it need not be learned anew.
 */
export class EchoShift {
  readonly #correlation = new Correlation(lowest, highest);
  readonly #captured = new Float32Array(fftSize);
  readonly #expected = new Float32Array(fftSize);

  reset(): void {
    this.#captured.fill(0);
    this.#expected.fill(0);
  }

  /** A block as it was captured, and the echo that was expected in it. */
  push(captured: Float32Array, expected: Float32Array): void {
    shiftIn(this.#captured, captured);
    shiftIn(this.#expected, expected);
  }

  /** By how many samples it is later, by so many of the newest samples; nothing where that is not clear. */
  find(samples: number): number | undefined {
    const end = fftSize - soonest;
    const from = Math.max(latest, end - samples);
    const captured = this.#captured.subarray(from, end);
    const found = this.#correlation.of(captured, this.#expected.subarray(from - latest));
    const range = latest + soonest + 1;
    let best = 1;
    let sum = 0;
    for (let at = 1; at < range - 1; at += 1) {
      const value = found[at] ?? 0;
      sum += value * value;
      if (value > (found[best] ?? 0)) best = at;
    }
    const top = found[best] ?? 0;
    const isClear = top > clear * Math.sqrt(sum / range);
    if (!isClear || top < leastShare * this.#correlation.whole) return undefined;
    // At an end it is the slope of something else.
    if (best <= edge || best >= range - edge) return undefined;
    const [before, after] = [found[best - 1] ?? 0, found[best + 1] ?? 0];
    const bend = before - 2 * top + after;
    const between = bend < 0 ? (0.5 * (before - after)) / bend : 0;
    // At its beginning the other has what was expected so much sooner.
    return latest - (best + between);
  }
}
