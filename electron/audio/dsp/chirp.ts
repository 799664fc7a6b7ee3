import { energyOf } from './loudness.ts';
import { emptyHalfSpectrum, RealFft } from './real-fft.ts';
import { cleanSamples } from './samples.ts';

export interface ChirpHeard {
  /** Start in the recording, in samples; may be fractional. */
  readonly sample: number;
  /** Level relative to what was played: 0 dB is equally loud. */
  readonly levelDb: number;
}

/** Covers the range of small speakers and microphones, and lasts long enough to stand out from noise. */
const chirpSeconds = 0.5;
const lowest = 400;
const highest = 3400;
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
  const places = recording.length - length + 1;
  if (places < 1) return undefined;
  const envelope = correlate(clean, rate, places);
  const peak = indexOfMax(envelope);
  const height = envelope[peak] ?? 0;
  const typical = envelope.toSorted()[places >> 1] ?? 0;
  if (height === 0 || height < minPeakRatio * typical) return undefined;
  const energy = energyOf(createChirp(rate));
  const around = energyOf(clean, peak, peak + length);
  if (height < minSimilarity * Math.sqrt(energy * around)) return undefined;
  const before = envelope[peak - 1] ?? height;
  const after = envelope[peak + 1] ?? height;
  const bend = before - 2 * height + after;
  const aside = bend === 0 ? 0 : (0.5 * (before - after)) / bend;
  const top = height - 0.25 * (before - after) * aside;
  return { sample: peak + aside, levelDb: 20 * Math.log10(top / energy) };
}

/** A sine gives the chirp, a cosine its quadrature. */
function createSweep(rate: number, wave: (phase: number) => number): Float32Array {
  const samples = new Float32Array(Math.round(chirpSeconds * rate));
  for (let n = 0; n < samples.length; n += 1) {
    const through = n / rate / chirpSeconds;
    const cycles = (n / rate) * (lowest + ((highest - lowest) / 2) * through);
    samples[n] = peakLevel * Math.sin(Math.PI * through) ** 2 * wave(2 * Math.PI * cycles);
  }
  return samples;
}

/** Envelope of the correlation at every possible start of the chirp. */
function correlate(recording: Float32Array, rate: number, places: number): Float32Array {
  const size = 2 ** Math.ceil(Math.log2(recording.length + chirpSeconds * rate));
  const fft = new RealFft(size);
  const [heard, sought] = [emptyHalfSpectrum(size), emptyHalfSpectrum(size)];
  const work = new Float32Array(size);
  work.set(recording);
  fft.forward(work, heard);
  const likeness = (chirp: Float32Array): Float32Array => {
    work.fill(0).set(chirp);
    fft.forward(work, sought);
    for (let bin = 0; bin < sought.re.length; bin += 1) {
      const [re, im] = [heard.re[bin] ?? 0, heard.im[bin] ?? 0];
      const [soughtRe, soughtIm] = [sought.re[bin] ?? 0, sought.im[bin] ?? 0];
      sought.re[bin] = re * soughtRe + im * soughtIm;
      sought.im[bin] = im * soughtRe - re * soughtIm;
    }
    fft.inverse(sought, work);
    return work.slice(0, places);
  };
  const turned = likeness(createSweep(rate, Math.cos));
  return likeness(createChirp(rate)).map((like, n) => Math.hypot(like, turned[n] ?? 0));
}

function indexOfMax(numbers: Float32Array): number {
  let best = 0;
  for (let n = 1; n < numbers.length; n += 1) {
    if ((numbers[n] ?? 0) > (numbers[best] ?? 0)) best = n;
  }
  return best;
}
