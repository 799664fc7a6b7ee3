import { energyOf } from '../../../electron/audio/dsp/loudness.ts';
import { emptyHalfSpectrum, RealFft } from '../../../electron/audio/dsp/real-fft.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { convolved } from '../../fakes/echo-room.ts';

const taps = 0.25 * inputRate;
const maxDelay = 0.6 * inputRate;
/** The path starts this many samples before its loudest tap. */
const before = 0.005 * inputRate;
/** Regularisation as a share of the power, so that the estimate does not fit noise. */
const regularisation = 0.01;
/** Lengths to fit the path on, in samples; the following half second evaluates it. */
const fitLengths = [inputRate, 4 * inputRate];
const evaluationSamples = inputRate / 2;
const size = 131_072;
const fft = new RealFft(size);

export interface EchoPath {
  readonly delay: number;
  /** Filter taps after the delay. */
  readonly taps: Float32Array;
  /** Share of the pre-emphasised echo that it explains in the half second after the fit. */
  readonly explainedDb: number;
}

/**
 * Estimates the echo path from loudspeaker to microphone: a delay, and taps by least squares. Device clocks drift and people
 * speak and move, so it fits parts of one and four seconds and keeps the path that explains the following sound best.
 */
export function estimatePath(played: Float32Array, microphone: Float32Array): EchoPath {
  // Pre-emphasis weights high frequencies like low ones; the path is the same.
  const [far, near] = [sharpened(played), sharpened(microphone)];
  const lags = crossCorrelate(far, near, maxDelay).map(Math.abs);
  const delay = Math.max(0, lags.indexOf(Math.max(...lags)) - before);
  const length = Math.min(far.length, near.length - delay);
  let best: EchoPath = { delay, taps: new Float32Array(taps), explainedDb: -Infinity };
  for (const part of fitLengths) {
    for (let from = 0; from + part + evaluationSamples <= length; from += evaluationSamples) {
      const until = from + part;
      const heard = near.subarray(delay + from, delay + until);
      const path = solveLeastSquares(far.subarray(from, until), heard);
      const since = Math.max(0, until - taps);
      const expected = convolved(far.subarray(since, until + evaluationSamples), path);
      const next = near.subarray(delay + until, delay + until + evaluationSamples);
      const rest = next.map((sample, n) => sample - (expected[until - since + n] ?? 0));
      const explainedDb = 10 * Math.log10((energyOf(next) + 1e-9) / (energyOf(rest) + 1e-9));
      if (explainedDb > best.explainedDb) best = { delay, taps: path, explainedDb };
    }
  }
  return { ...best, taps: faded(best.taps) };
}

export function applyPath({ delay, taps: path }: EchoPath, played: Float32Array): Float32Array {
  const heard = new Float32Array(played.length);
  heard.set(convolved(played, path).subarray(0, Math.max(0, heard.length - delay)), delay);
  return heard;
}

const sharpened = (sound: Float32Array): Float32Array =>
  sound.map((sample, n) => sample - 0.95 * (sound[n - 1] ?? 0));

function crossCorrelate(one: Float32Array, other: Float32Array, lags: number): Float64Array {
  const [a, b] = [one, other].map((sound) => {
    const [work, spectrum] = [new Float32Array(size), emptyHalfSpectrum(size)];
    work.set(sound.subarray(0, size - lags));
    fft.forward(work, spectrum);
    return spectrum;
  }) as [ReturnType<typeof emptyHalfSpectrum>, ReturnType<typeof emptyHalfSpectrum>];
  for (let bin = 0; bin <= size / 2; bin += 1) {
    const [ar, ai, br, bi] = [a.re[bin] ?? 0, a.im[bin] ?? 0, b.re[bin] ?? 0, b.im[bin] ?? 0];
    a.re[bin] = ar * br + ai * bi;
    a.im[bin] = ar * bi - ai * br;
  }
  const work = new Float32Array(size);
  fft.inverse(a, work);
  return Float64Array.from(work.subarray(0, lags));
}

/** Solves the least-squares problem by Levinson recursion. */
function solveLeastSquares(far: Float32Array, heard: Float32Array): Float32Array {
  const autocorrelation = crossCorrelate(far, far, taps);
  const crossCorrelation = crossCorrelate(far, heard, taps);
  const power = (autocorrelation[0] ?? 0) * (1 + regularisation) + 1e-9;
  const path = new Float64Array(taps);
  const predictor = new Float64Array(taps);
  predictor[0] = 1;
  path[0] = (crossCorrelation[0] ?? 0) / power;
  let error = power;
  for (let n = 1; n < taps; n += 1) {
    let [off, missing] = [0, crossCorrelation[n] ?? 0];
    for (let k = 0; k < n; k += 1) {
      off += (predictor[k] ?? 0) * (autocorrelation[n - k] ?? 0);
      missing -= (path[k] ?? 0) * (autocorrelation[n - k] ?? 0);
    }
    const reflection = -off / error;
    for (let k = 0; 2 * k <= n; k += 1) {
      const [low, high] = [predictor[k] ?? 0, predictor[n - k] ?? 0];
      predictor[k] = low + reflection * high;
      predictor[n - k] = high + reflection * low;
    }
    error *= 1 - reflection * reflection;
    for (let k = 0; k <= n; k += 1)
      path[k] = (path[k] ?? 0) + (missing / error) * (predictor[n - k] ?? 0);
  }
  return Float32Array.from(path);
}

function faded(path: Float32Array): Float32Array {
  const fading = path.length / 4;
  return path.map((tap, n) => tap * Math.min(1, (path.length - n) / fading));
}
