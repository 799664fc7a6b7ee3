import { energyOf } from './loudness.ts';
import { emptyHalfSpectrum, RealFft } from './real-fft.ts';
import { cleanSamples } from './samples.ts';

export interface ChirpHeard {
  /** Start in the recording, in samples; may be fractional. */
  readonly sample: number;
  /** Level relative to what was played: 0 dB is equally loud. */
  readonly levelDb: number;
}

/** The chirp covers the range of small speakers and microphones, and lasts long enough to stand out from noise. */
const chirpSeconds = 0.5;
const lowestHz = 400;
const highestHz = 3400;
/** Quiet enough not to startle, loud enough for a room. */
const peakLevel = 0.25;

/** A rising sine sweep with soft ends; the same sound at every rate. */
export function createChirp(rate: number): Float32Array {
  return createSweep(rate, Math.sin);
}

/** Required peak over the median of the correlation; noise does not reach it by chance. */
const minPeakRatio = 7;
/** Required share of the chirp in the sound around the peak; a click or a knock has less. */
const minSimilarity = 0.08;

/** Finds the chirp by the correlation's envelope, because devices can invert the sign or turn the phase. */
export function findChirp(recording: Float32Array, rate: number): ChirpHeard | undefined {
  const clean = recording.slice();
  cleanSamples(clean);
  const length = Math.round(chirpSeconds * rate);
  const lagCount = recording.length - length + 1;
  if (lagCount < 1) return undefined;
  const envelope = correlate(clean, rate, lagCount);
  const peakIndex = indexOfMax(envelope);
  const peakValue = envelope[peakIndex] ?? 0;
  const median = envelope.toSorted()[lagCount >> 1] ?? 0;
  if (peakValue === 0 || peakValue < minPeakRatio * median) return undefined;
  const energy = energyOf(createChirp(rate));
  const soundEnergy = energyOf(clean, peakIndex, peakIndex + length);
  if (peakValue < minSimilarity * Math.sqrt(energy * soundEnergy)) return undefined;
  const before = envelope[peakIndex - 1] ?? peakValue;
  const after = envelope[peakIndex + 1] ?? peakValue;
  // Parabolic interpolation gives the peak between samples.
  const curvature = before - 2 * peakValue + after;
  const offset = curvature === 0 ? 0 : (0.5 * (before - after)) / curvature;
  const interpolatedPeak = peakValue - 0.25 * (before - after) * offset;
  return { sample: peakIndex + offset, levelDb: 20 * Math.log10(interpolatedPeak / energy) };
}

/** A sine gives the chirp, a cosine its quadrature. */
function createSweep(rate: number, wave: (phase: number) => number): Float32Array {
  const samples = new Float32Array(Math.round(chirpSeconds * rate));
  for (let n = 0; n < samples.length; n += 1) {
    const progress = n / rate / chirpSeconds;
    const cycles = (n / rate) * (lowestHz + ((highestHz - lowestHz) / 2) * progress);
    samples[n] = peakLevel * Math.sin(Math.PI * progress) ** 2 * wave(2 * Math.PI * cycles);
  }
  return samples;
}

/** Envelope of the correlation at every possible start of the chirp. */
function correlate(recording: Float32Array, rate: number, lagCount: number): Float32Array {
  const size = 2 ** Math.ceil(Math.log2(recording.length + chirpSeconds * rate));
  const fft = new RealFft(size);
  const [spectrum, template] = [emptyHalfSpectrum(size), emptyHalfSpectrum(size)];
  const work = new Float32Array(size);
  work.set(recording);
  fft.forward(work, spectrum);
  const correlateWith = (chirp: Float32Array): Float32Array => {
    work.fill(0).set(chirp);
    fft.forward(work, template);
    for (let bin = 0; bin < template.re.length; bin += 1) {
      const [re, im] = [spectrum.re[bin] ?? 0, spectrum.im[bin] ?? 0];
      const [templateRe, templateIm] = [template.re[bin] ?? 0, template.im[bin] ?? 0];
      template.re[bin] = re * templateRe + im * templateIm;
      template.im[bin] = im * templateRe - re * templateIm;
    }
    fft.inverse(template, work);
    return work.slice(0, lagCount);
  };
  const quadrature = correlateWith(createSweep(rate, Math.cos));
  return correlateWith(createChirp(rate)).map((correlation, n) =>
    Math.hypot(correlation, quadrature[n] ?? 0),
  );
}

function indexOfMax(numbers: Float32Array): number {
  let best = 0;
  for (let n = 1; n < numbers.length; n += 1) {
    if ((numbers[n] ?? 0) > (numbers[best] ?? 0)) best = n;
  }
  return best;
}
