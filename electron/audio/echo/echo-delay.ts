import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { emptyHalfSpectrum, RealFft } from '../dsp/real-fft.ts';
import { appendToHistory } from '../dsp/samples.ts';
import { echoBlockSamples } from './echo-canceller.ts';

const fftSize = 8192;
/** Spectral flattening, which prevents mistaking pitch for a delay. */
const flatness = 0.8;
/** Required peak relative to the RMS of the correlation. */
const minPeakRatio = 9;
const tiny = 1e-12;

/** The cross-correlation of two sounds, restricted to a range of bins. */
class Correlation {
  readonly #fft = new RealFft(fftSize);
  readonly #first = emptyHalfSpectrum(fftSize);
  readonly #second = emptyHalfSpectrum(fftSize);
  readonly #work = new Float32Array(fftSize);
  readonly #lowest: number;
  readonly #highest: number;
  #whole = 0;

  constructor(lowest: number, highest: number) {
    this.#lowest = lowest;
    this.#highest = highest;
  }

  /** Height of the peak for identical sounds. */
  get whole(): number {
    return this.#whole / fftSize;
  }

  /** The correlation for every position of the first sound in the second; valid until the next call. */
  of(first: Float32Array, second: Float32Array): Float32Array {
    this.#work.fill(0).set(first);
    this.#fft.forward(this.#work, this.#first);
    this.#work.fill(0).set(second);
    this.#fft.forward(this.#work, this.#second);
    this.#multiply();
    this.#fft.inverse(this.#first, this.#work);
    return this.#work;
  }

  #multiply(): void {
    const first = this.#first;
    const second = this.#second;
    this.#whole = tiny;
    for (let bin = 0; bin < first.re.length; bin += 1) {
      const firstRe = first.re[bin] ?? 0;
      const firstIm = first.im[bin] ?? 0;
      const secondRe = second.re[bin] ?? 0;
      const secondIm = second.im[bin] ?? 0;
      const magnitude =
        Math.sqrt(
          (firstRe * firstRe + firstIm * firstIm) * (secondRe * secondRe + secondIm * secondIm),
        ) + tiny;
      const weight = bin < this.#lowest || bin > this.#highest ? 0 : magnitude ** -flatness;
      this.#whole += 2 * weight * magnitude;
      first.re[bin] = weight * (firstRe * secondRe + firstIm * secondIm);
      first.im[bin] = weight * (firstRe * secondIm - firstIm * secondRe);
    }
  }
}

/** A quarter of the rate holds enough to align speech. */
const coarse = 4;
const coarsePerMs = inputRate / coarse / 1000;
/** Captured sound in a search: 1.2 s. */
const windowSamples = 1200 * coarsePerMs;
/** The longest delay in a search. */
const latestDelay = 600 * coarsePerMs;
const delayMemory = windowSamples + latestDelay;
/** Blocks with playback between searches. */
const lookEvery = 30;
/** The range of small loudspeakers: 150 to 1900 Hz, in bins. */
const lowestCoarse = Math.round((150 * fftSize * coarse) / inputRate);
const highestCoarse = Math.round((1900 * fftSize * coarse) / inputRate);
/** Two searches must agree within this. */
const sameMs = 2;

/**
 * Measures the echo delay before the filter has learned a path. Devices and sound servers may delay sound by
 * hundreds of milliseconds without reporting it; the filter models only a quarter of a second.
 */
export class EchoDelayEstimator {
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

  /** Takes a block of both and returns the echo delay in milliseconds once it is clear. */
  follow(captured: Float32Array, played: Float32Array, isPlayed: boolean): number | undefined {
    appendToHistory(this.#captured, decimate(captured));
    appendToHistory(this.#played, decimate(played));
    if (!isPlayed) return undefined;
    this.#sounded += 1;
    if (this.#sounded % lookEvery > 0) return undefined;
    const found = this.#find();
    const before = this.#before;
    this.#before = found;
    const isSame = found !== undefined && before !== undefined && Math.abs(found - before) < sameMs;
    return isSame ? found : undefined;
  }

  /** Index 0 is the longest delay, the last index is no delay. */
  #find(): number | undefined {
    const found = this.#correlation.of(this.#captured.subarray(latestDelay), this.#played);
    let best = 0;
    let sum = 0;
    for (let at = 0; at < latestDelay; at += 1) {
      const value = Math.abs(found[at] ?? 0);
      sum += value * value;
      if (value > Math.abs(found[best] ?? 0)) best = at;
    }
    const isClear = Math.abs(found[best] ?? 0) > minPeakRatio * Math.sqrt(sum / latestDelay);
    return isClear ? (latestDelay - best) / coarsePerMs : undefined;
  }
}

/** Decimates without a sharp filter; the aliases do not correlate. */
function decimate(block: Float32Array): Float32Array {
  const samples = new Float32Array(echoBlockSamples / coarse);
  for (let n = 0; n < samples.length; n += 1) {
    let sum = 0;
    for (let k = 0; k < coarse; k += 1) sum += block[n * coarse + k] ?? 0;
    samples[n] = sum / coarse;
  }
  return samples;
}

/** The largest shift to later. */
const latest = Math.round(0.1 * inputRate);
/** The largest shift to earlier. */
const soonest = Math.round(0.04 * inputRate);
const [lowest, highest] = [100, 3400];
/** Required peak, as a share of the peak for identical sounds. */
const minPeakShare = 0.2;
const edge = 16;

/** Measures a change of the echo delay, as after a gap in playback, so the known path can be reused. */
export class EchoShiftEstimator {
  readonly #correlation = new Correlation(lowest, highest);
  readonly #captured = new Float32Array(fftSize);
  readonly #expected = new Float32Array(fftSize);

  reset(): void {
    this.#captured.fill(0);
    this.#expected.fill(0);
  }

  /** Takes a captured block and the echo expected in it. */
  push(captured: Float32Array, expected: Float32Array): void {
    appendToHistory(this.#captured, captured);
    appendToHistory(this.#expected, expected);
  }

  /** The shift in samples, positive if later, measured on the newest `samples`; undefined if unclear. */
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
    const isClear = top > minPeakRatio * Math.sqrt(sum / range);
    if (!isClear || top < minPeakShare * this.#correlation.whole) return undefined;
    // A maximum at the edge is the slope of another peak.
    if (best <= edge || best >= range - edge) return undefined;
    const [before, after] = [found[best - 1] ?? 0, found[best + 1] ?? 0];
    const bend = before - 2 * top + after;
    const between = bend < 0 ? (0.5 * (before - after)) / bend : 0;
    // The expected sound starts `latest` samples earlier.
    return latest - (best + between);
  }
}
