import { emptyHalfSpectrum, RealFft } from '../../electron/audio/dsp/real-fft.ts';
import { inputRate } from '../../shared/protocol/realtime-api.ts';
import { type SpokenScene, stepSamples } from './spoken-scene.ts';

const size = 512;
const bands = 15;
/** A segment of 380 ms, about a syllable, over which envelopes are compared. */
const segmentSteps = 38;
/** Clips an envelope at this factor of the clean one. */
const clipFactor = 6.6;

/**
 * Intelligibility as in STOI: the correlation of each third-octave band's envelope with the clean speech, averaged over
 * segments in whose middle somebody speaks. Clean speech has 1.
 */
export function speechIntelligibility({ sound, speaks }: SpokenScene, heard: Float32Array): number {
  const [clean, heardEnvelopes] = [bandEnvelopes(sound), bandEnvelopes(heard)];
  let [sum, count] = [0, 0];
  for (let end = segmentSteps; end < speaks.length; end += 10) {
    if (speaks[end - segmentSteps / 2] !== true) continue;
    for (let band = 0; band < bands; band += 1) {
      const cleanBand = clean.slice(end - segmentSteps, end).map((step) => step[band] ?? 0);
      if (power(cleanBand) < 1e-9) continue;
      const heardBand = heardEnvelopes
        .slice(end - segmentSteps, end)
        .map((step) => step[band] ?? 0);
      const scale = Math.sqrt(power(cleanBand) / (power(heardBand) + 1e-12));
      sum += correlation(
        cleanBand,
        heardBand.map((value, n) => Math.min(scale * value, clipFactor * (cleanBand[n] ?? 0))),
      );
      count += 1;
    }
  }
  return sum / count;
}

function power(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value * value, 0);
}

function correlation(one: readonly number[], two: readonly number[]): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [oneMean, twoMean] = [mean(one), mean(two)];
  const oneDeviations = one.map((value) => value - oneMean);
  const twoDeviations = two.map((value) => value - twoMean);
  const covariance = oneDeviations.reduce(
    (sum, value, n) => sum + value * (twoDeviations[n] ?? 0),
    0,
  );
  return covariance / Math.sqrt(power(oneDeviations) * power(twoDeviations) + 1e-12);
}

/** The amplitude of each third of an octave from 150 Hz on, every 10 ms. */
function bandEnvelopes(sound: Float32Array): readonly (readonly number[])[] {
  const fft = new RealFft(size);
  const spectrum = emptyHalfSpectrum(size);
  const work = new Float32Array(size);
  const edges = Array.from({ length: bands + 1 }, (_, band) =>
    Math.round((150 * 2 ** ((band - 0.5) / 3) * size) / inputRate),
  );
  return Array.from({ length: Math.floor(sound.length / stepSamples) }, (_, step) => {
    for (let n = 0; n < size; n += 1) {
      const hann = 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / size);
      work[n] = (sound[step * stepSamples + n - size / 2] ?? 0) * hann;
    }
    fft.forward(work, spectrum);
    return Array.from({ length: bands }, (__, band) => {
      let sum = 0;
      const from = edges[band] ?? 0;
      for (let bin = from; bin < Math.max(from + 1, edges[band + 1] ?? 0); bin += 1)
        sum += (spectrum.re[bin] ?? 0) ** 2 + (spectrum.im[bin] ?? 0) ** 2;
      return Math.sqrt(sum);
    });
  });
}
