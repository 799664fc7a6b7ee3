import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { emptyHalfSpectrum, RealFft } from '../dsp/real-fft.ts';
import { appendToHistory } from '../dsp/samples.ts';
import { echoBlockSamples } from './echo-canceller.ts';

const fftSize = 8192;
/** Exponent of the spectral flattening (0: none, 1: only phases count), which prevents mistaking pitch for a delay. */
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
  readonly #lowestBin: number;
  readonly #highestBin: number;
  #maximum = 0;

  constructor(lowestBin: number, highestBin: number) {
    this.#lowestBin = lowestBin;
    this.#highestBin = highestBin;
  }

  /** Value that the correlation of identical sounds would reach. */
  get maximum(): number {
    return this.#maximum / fftSize;
  }

  /** The correlation for every position of the first sound in the second; valid until the next call. */
  correlate(first: Float32Array, second: Float32Array): Float32Array {
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
    this.#maximum = tiny;
    for (let bin = 0; bin < first.re.length; bin += 1) {
      const firstRe = first.re[bin] ?? 0;
      const firstIm = first.im[bin] ?? 0;
      const secondRe = second.re[bin] ?? 0;
      const secondIm = second.im[bin] ?? 0;
      const magnitude =
        Math.sqrt(
          (firstRe * firstRe + firstIm * firstIm) * (secondRe * secondRe + secondIm * secondIm),
        ) + tiny;
      const weight = bin < this.#lowestBin || bin > this.#highestBin ? 0 : magnitude ** -flatness;
      this.#maximum += 2 * weight * magnitude;
      first.re[bin] = weight * (firstRe * secondRe + firstIm * secondIm);
      first.im[bin] = weight * (firstRe * secondIm - firstIm * secondRe);
    }
  }
}

/** A quarter of the sample rate is enough to align speech. */
const decimation = 4;
const decimatedPerMs = inputRate / decimation / 1000;
/** Captured sound that a search uses: 1.2 s. */
const windowSamples = 1200 * decimatedPerMs;
/** Longest delay that a search finds: 600 ms. */
const maxDelay = 600 * decimatedPerMs;
const delayMemory = windowSamples + maxDelay;
/** Number of blocks with playback from one search to the next. */
const searchEvery = 30;
/** The range of small loudspeakers: 150 to 1900 Hz, in bins. */
const lowestDecimatedBin = Math.round((150 * fftSize * decimation) / inputRate);
const highestDecimatedBin = Math.round((1900 * fftSize * decimation) / inputRate);
/** Two searches in a row must agree this closely. */
const agreementMs = 2;

/**
 * Measures the echo delay before the filter has learned a path. Devices and sound servers may delay sound by
 * hundreds of milliseconds without reporting it, and the filter models only a quarter of a second.
 */
export class EchoDelayEstimator {
  readonly #correlation = new Correlation(lowestDecimatedBin, highestDecimatedBin);
  readonly #captured = new Float32Array(delayMemory);
  readonly #played = new Float32Array(delayMemory);
  #playedBlocks = 0;
  #previous: number | undefined;

  reset(): void {
    this.#captured.fill(0);
    this.#played.fill(0);
    this.#playedBlocks = 0;
    this.#previous = undefined;
  }

  /** Takes a captured and a played block. Returns the echo delay in milliseconds once it is clear. */
  follow(captured: Float32Array, played: Float32Array, isPlayed: boolean): number | undefined {
    appendToHistory(this.#captured, decimate(captured));
    appendToHistory(this.#played, decimate(played));
    if (!isPlayed) return undefined;
    this.#playedBlocks += 1;
    if (this.#playedBlocks % searchEvery > 0) return undefined;
    const delayMs = this.#find();
    const previous = this.#previous;
    this.#previous = delayMs;
    const agrees =
      delayMs !== undefined && previous !== undefined && Math.abs(delayMs - previous) < agreementMs;
    return agrees ? delayMs : undefined;
  }

  /** Searches the correlation, in which index 0 is the longest delay and `maxDelay` is none. */
  #find(): number | undefined {
    const correlation = this.#correlation.correlate(
      this.#captured.subarray(maxDelay),
      this.#played,
    );
    let peakIndex = 0;
    let sum = 0;
    for (let at = 0; at < maxDelay; at += 1) {
      const value = Math.abs(correlation[at] ?? 0);
      sum += value * value;
      if (value > Math.abs(correlation[peakIndex] ?? 0)) peakIndex = at;
    }
    const isClear =
      Math.abs(correlation[peakIndex] ?? 0) > minPeakRatio * Math.sqrt(sum / maxDelay);
    return isClear ? (maxDelay - peakIndex) / decimatedPerMs : undefined;
  }
}

/** Averages without a sharp filter: aliases do no harm, because they do not correlate. */
function decimate(block: Float32Array): Float32Array {
  const samples = new Float32Array(echoBlockSamples / decimation);
  for (let n = 0; n < samples.length; n += 1) {
    let sum = 0;
    for (let k = 0; k < decimation; k += 1) sum += block[n * decimation + k] ?? 0;
    samples[n] = sum / decimation;
  }
  return samples;
}

/** Largest increase of the delay that is found: 100 ms. */
const maxLater = Math.round(0.1 * inputRate);
/** Largest decrease: 40 ms. */
const maxEarlier = Math.round(0.04 * inputRate);
/** The range of speech without its lowest pitch: 200 to 6600 Hz, in bins. */
const [lowestBin, highestBin] = [100, 3400];
/** Required peak, as a share of the peak for identical sounds. */
const minPeakShare = 0.2;
const edgeSamples = 16;

/** Measures a change of the echo delay, such as after a gap in playback, so that the known path can still be used. */
export class EchoShiftEstimator {
  readonly #correlation = new Correlation(lowestBin, highestBin);
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

  /**
   * Returns how many samples later the echo is than expected (negative: earlier), by the newest `samples`; undefined
   * if unclear.
   */
  find(samples: number): number | undefined {
    const end = fftSize - maxEarlier;
    const from = Math.max(maxLater, end - samples);
    const captured = this.#captured.subarray(from, end);
    const correlation = this.#correlation.correlate(
      captured,
      this.#expected.subarray(from - maxLater),
    );
    const range = maxLater + maxEarlier + 1;
    let peakIndex = 1;
    let sum = 0;
    for (let at = 1; at < range - 1; at += 1) {
      const value = correlation[at] ?? 0;
      sum += value * value;
      if (value > (correlation[peakIndex] ?? 0)) peakIndex = at;
    }
    const peak = correlation[peakIndex] ?? 0;
    const isClear = peak > minPeakRatio * Math.sqrt(sum / range);
    if (!isClear || peak < minPeakShare * this.#correlation.maximum) return undefined;
    // A maximum at the edge is the slope of another peak.
    if (peakIndex <= edgeSamples || peakIndex >= range - edgeSamples) return undefined;
    const [before, after] = [correlation[peakIndex - 1] ?? 0, correlation[peakIndex + 1] ?? 0];
    const curvature = before - 2 * peak + after;
    const offset = curvature < 0 ? (0.5 * (before - after)) / curvature : 0;
    // The expected sound starts `maxLater` samples earlier.
    return maxLater - (peakIndex + offset);
  }
}
