import { emptyHalfSpectrum, RealFft } from '../dsp/real-fft.ts';
import { inputRate } from '../../../shared/protocol/protocol-limits.ts';

const fftSize = 8192;
/** It is looked for up to so much later… */
const latest = Math.round(0.1 * inputRate);
/** …and so much sooner. */
const soonest = Math.round(0.04 * inputRate);
/** In so much of what was captured at most. */
const longest = fftSize - latest - soonest;
const kept = longest + latest + soonest;
/** Speech is made flat by so much, or its pitch would be taken for a shift. */
const flatness = 0.8;
/** What is heard of a loudspeaker, in bins. */
const [lowest, highest] = [100, 3400];
/** So far a peak must stand out from what else there is… */
const clear = 9;
/** …and so much it must be of what it would be, were there nothing else. */
const leastShare = 0.2;
const edge = 16;
const tiny = 1e-12;

/**
 * Finds an echo again that comes later or sooner than was expected, as after a break of what is played: the way is
 * the same, so that it need not be learned anew.
 */
export class EchoShift {
  readonly #fft = new RealFft(fftSize);
  readonly #captured = new Float32Array(kept);
  readonly #expected = new Float32Array(kept);
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
      memory.set(block, kept - block.length);
    }
  }

  /** By how many samples it is later, by so many of the newest samples; nothing where that is not clear. */
  find(samples: number): number | undefined {
    const end = kept - soonest;
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
      const weight = bin < lowest || bin > highest ? 0 : size ** -flatness;
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
