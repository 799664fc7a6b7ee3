import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { emptyHalfSpectrum, RealFft } from '../dsp/real-fft.ts';
import { echoBlockSamples } from './echo-canceller.ts';

/** A quarter of the rate has all that tells one moment of speech from another. */
const coarse = 4;
const blockSamples = echoBlockSamples / coarse;
const samplesPerMs = inputRate / coarse / 1000;
const fftSize = 8192;
/** It is looked for in the last 1.2 s of what was captured… */
const windowSamples = 1200 * samplesPerMs;
/** …up to so much later than what is played now. */
const latestMs = 600;
const kept = windowSamples + latestMs * samplesPerMs;
/** After so many blocks with sound it is looked for, and again after as many. */
const lookEvery = 30;
/** Speech is made flat by so much, or its pitch would be taken for a delay. */
const flatness = 0.8;
/** What small loudspeakers play, in bins: 150 to 1900 Hz. */
const lowest = Math.round((150 * fftSize * coarse) / inputRate);
const highest = Math.round((1900 * fftSize * coarse) / inputRate);
/** A peak must stand out so far from what else there is. */
const clear = 9;
/** Twice it must be found at the same time. */
const sameMs = 2;
const tiny = 1e-12;

/**
 * Finds how late an echo comes, before anything is known of it: devices and sound servers hold sound for hundreds of
 * milliseconds and say nothing of it, and a filter models a quarter of a second only.
 */
export class EchoDelay {
  readonly #fft = new RealFft(fftSize);
  readonly #captured = new Float32Array(kept);
  readonly #played = new Float32Array(kept);
  readonly #one = emptyHalfSpectrum(fftSize);
  readonly #other = emptyHalfSpectrum(fftSize);
  readonly #work = new Float32Array(fftSize);
  /** Where the next block goes; what stands there is the oldest. */
  #newest = 0;
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
    this.#push(this.#captured, captured);
    this.#push(this.#played, played);
    this.#newest = (this.#newest + blockSamples) % kept;
    if (!isPlayed) return undefined;
    this.#sounded += 1;
    if (this.#sounded % lookEvery > 0) return undefined;
    const found = this.#find();
    const before = this.#before;
    this.#before = found;
    const isSame = found !== undefined && before !== undefined && Math.abs(found - before) < sameMs;
    return isSame ? found : undefined;
  }

  /** By cross-correlation of what was captured lately with what was played until then. */
  #find(): number | undefined {
    const one = this.#one;
    const other = this.#other;
    this.#unroll(this.#captured);
    this.#work.copyWithin(0, kept - windowSamples, kept);
    this.#work.fill(0, windowSamples);
    this.#fft.forward(this.#work, one);
    this.#unroll(this.#played);
    this.#work.fill(0, kept);
    this.#fft.forward(this.#work, other);
    for (let bin = 0; bin < one.re.length; bin += 1) {
      const [ar, ai] = [one.re[bin] ?? 0, one.im[bin] ?? 0];
      const [br, bi] = [other.re[bin] ?? 0, other.im[bin] ?? 0];
      const size = Math.sqrt((ar * ar + ai * ai) * (br * br + bi * bi)) + tiny;
      const weight = bin < lowest || bin > highest ? 0 : size ** -flatness;
      one.re[bin] = weight * (ar * br + ai * bi);
      one.im[bin] = weight * (ar * bi - ai * br);
    }
    this.#fft.inverse(one, this.#work);
    return this.#peak();
  }

  /** At a quarter of the rate: what is above folds over, softly, and tells nothing. */
  #push(memory: Float32Array, block: Float32Array): void {
    for (let n = 0; n < blockSamples; n += 1) {
      let sum = 0;
      for (let k = 0; k < coarse; k += 1) sum += block[n * coarse + k] ?? 0;
      memory[this.#newest + n] = sum / coarse;
    }
  }

  /** The oldest first. */
  #unroll(memory: Float32Array): void {
    this.#work.set(memory.subarray(this.#newest));
    this.#work.set(memory.subarray(0, this.#newest), kept - this.#newest);
  }

  /** The first place is that of the latest echo, the last one that of an echo at once. */
  #peak(): number | undefined {
    const places = latestMs * samplesPerMs;
    let best = 0;
    let sum = 0;
    for (let at = 0; at < places; at += 1) {
      const value = Math.abs(this.#work[at] ?? 0);
      sum += value * value;
      if (value > Math.abs(this.#work[best] ?? 0)) best = at;
    }
    const isClear = Math.abs(this.#work[best] ?? 0) > clear * Math.sqrt(sum / places);
    return isClear ? (places - best) / samplesPerMs : undefined;
  }
}

/** It is looked for up to so much later… */
const latest = Math.round(0.1 * inputRate);
/** …and so much sooner. */
const soonest = Math.round(0.04 * inputRate);
/** In so much of what was captured at most. */
const longest = fftSize - latest - soonest;
const echoShiftKept = longest + latest + soonest;
/** Speech is made flat by so much, or its pitch would be taken for a shift. */

/** What is heard of a loudspeaker, in bins. */
const [echoShiftLowest, echoShiftHighest] = [100, 3400];
/** So far a peak must stand out from what else there is… */

/** …and so much it must be of what it would be, were there nothing else. */
const leastShare = 0.2;
const edge = 16;

/**
 * Finds an echo again that comes later or sooner than was expected, as after a break of what is played: the way is
 * the same, so that it need not be learned anew.
 */
export class EchoShift {
  readonly #fft = new RealFft(fftSize);
  readonly #captured = new Float32Array(echoShiftKept);
  readonly #expected = new Float32Array(echoShiftKept);
  readonly #one = emptyHalfSpectrum(fftSize);
  readonly #other = emptyHalfSpectrum(fftSize);
  readonly #work = new Float32Array(fftSize);

  /** What the peak would be, were both the same. */
  #whole = 0;

  reset(): void {
    this.#captured.fill(0);
    this.#expected.fill(0);
  }

  /** A block as it was captured, and the echo that was expected in it. */
  push(captured: Float32Array, expected: Float32Array): void {
    for (const [memory, block] of [
      [this.#captured, captured],
      [this.#expected, expected],
    ] as const) {
      memory.copyWithin(0, block.length);
      memory.set(block, echoShiftKept - block.length);
    }
  }

  /** By how many samples it is later, by so many of the newest samples; nothing where that is not clear. */
  find(samples: number): number | undefined {
    const end = echoShiftKept - soonest;
    const from = Math.max(latest, end - samples);
    this.#work.fill(0);
    this.#work.set(this.#captured.subarray(from, end));
    this.#fft.forward(this.#work, this.#one);
    this.#work.fill(0);
    this.#work.set(this.#expected.subarray(from - latest));
    this.#fft.forward(this.#work, this.#other);
    this.#multiply();
    this.#fft.inverse(this.#one, this.#work);
    return this.#peak();
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
      const weight = bin < echoShiftLowest || bin > echoShiftHighest ? 0 : size ** -flatness;
      this.#whole += 2 * weight * size;
      // Of the other it is looked for where in it the first is.
      one.re[bin] = weight * (ar * br + ai * bi);
      one.im[bin] = weight * (ar * bi - ai * br);
    }
  }

  #peak(): number | undefined {
    const found = this.#work;
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
    if (!isClear || top * fftSize < leastShare * this.#whole) return undefined;
    // At an end it is the slope of something else.
    if (best <= edge || best >= range - edge) return undefined;
    const [before, after] = [found[best - 1] ?? 0, found[best + 1] ?? 0];
    const bend = before - 2 * top + after;
    const between = bend < 0 ? (0.5 * (before - after)) / bend : 0;
    // At its beginning the other has what was expected so much sooner.
    return latest - (best + between);
  }
}
