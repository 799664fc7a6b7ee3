/** What became of a chirp on its way from a speaker to a microphone. */
export interface ChirpHeard {
  /** Where in the recording it begins, between samples if need be. */
  readonly sample: number;
  /** How loud it came back: 0 dB is as loud as it was played. */
  readonly levelDb: number;
}

/** Up through what small speakers and microphones carry, and long enough to stand out of noise. */
const chirpSeconds = 0.5;
const lowest = 400;
const highest = 3400;
/** Quiet enough not to startle, loud enough for a room. */
const loudness = 0.25;

/** A tone that glides up, with soft ends; the same sound at every rate. */
export function createChirp(rate: number): Float32Array {
  const chirp = new Float32Array(Math.round(chirpSeconds * rate));
  for (let n = 0; n < chirp.length; n += 1) {
    const { size, phase } = chirpAt(n / rate);
    chirp[n] = size * Math.sin(phase);
  }
  return chirp;
}

/** Far above what noise reaches by chance, in units of what it has everywhere. */
const standsOut = 7;
/** So much of what is heard while it lasts must be the chirp: a click or a knock is not one. */
const minLikeness = 0.08;

/**
 * Looks for the chirp by cross-correlation; nothing when it has not come back. A device may turn a
 * sound's sign or phase, so that the envelope is looked at and not the correlation itself.
 */
export function findChirp(recording: Float32Array, rate: number): ChirpHeard | undefined {
  const template = analyticChirp(rate);
  const length = Math.round(chirpSeconds * rate);
  const places = recording.length - length + 1;
  if (places < 1) return undefined;
  const envelope = correlate(recording, template, length).subarray(0, places);
  const peak = highestOf(envelope);
  const height = envelope[peak] ?? 0;
  const typical = envelope.toSorted()[places >> 1] ?? 0;
  if (height === 0 || height < standsOut * typical) return undefined;
  const energy = energyOf(createChirp(rate), 0, length);
  const around = energyOf(recording, peak, peak + length);
  if (height < minLikeness * Math.sqrt(energy * around)) return undefined;
  const before = envelope[peak - 1] ?? height;
  const after = envelope[peak + 1] ?? height;
  const bend = before - 2 * height + after;
  const aside = bend === 0 ? 0 : (0.5 * (before - after)) / bend;
  const top = height - 0.25 * (before - after) * aside;
  return { sample: peak + aside, levelDb: 20 * Math.log10(top / energy) };
}

function chirpAt(seconds: number): { readonly size: number; readonly phase: number } {
  const through = seconds / chirpSeconds;
  const cycles = seconds * (lowest + ((highest - lowest) / 2) * through);
  return { size: loudness * Math.sin(Math.PI * through) ** 2, phase: 2 * Math.PI * cycles };
}

/** The chirp and the same a quarter turned, as one complex signal. */
function analyticChirp(rate: number): Spectrum {
  const chirp = emptySpectrum(Math.round(chirpSeconds * rate));
  for (let n = 0; n < chirp.real.length; n += 1) {
    const { size, phase } = chirpAt(n / rate);
    chirp.real[n] = size * Math.sin(phase);
    chirp.imaginary[n] = -size * Math.cos(phase);
  }
  return chirp;
}

/** The size of the correlation for every place at which the chirp could begin. */
function correlate(recording: Float32Array, chirp: Spectrum, length: number): Float64Array {
  const size = 2 ** Math.ceil(Math.log2(recording.length + length));
  const heard = emptySpectrum(size);
  for (let n = 0; n < recording.length; n += 1) heard.real[n] = finite(recording[n]);
  const sought = emptySpectrum(size);
  sought.real.set(chirp.real);
  sought.imaginary.set(chirp.imaginary);
  fft(heard);
  fft(sought);
  for (let n = 0; n < size; n += 1) {
    const re = heard.real[n] ?? 0;
    const im = heard.imaginary[n] ?? 0;
    const soughtRe = sought.real[n] ?? 0;
    const soughtIm = sought.imaginary[n] ?? 0;
    heard.real[n] = re * soughtRe + im * soughtIm;
    heard.imaginary[n] = im * soughtRe - re * soughtIm;
  }
  inverseFft(heard);
  const envelope = new Float64Array(size);
  for (let n = 0; n < size; n += 1) {
    envelope[n] = Math.hypot(heard.real[n] ?? 0, heard.imaginary[n] ?? 0);
  }
  return envelope;
}

function highestOf(numbers: Float64Array): number {
  let best = 0;
  for (let n = 1; n < numbers.length; n += 1) {
    if ((numbers[n] ?? 0) > (numbers[best] ?? 0)) best = n;
  }
  return best;
}

function energyOf(samples: Float32Array, from: number, to: number): number {
  let sum = 0;
  for (let n = from; n < to; n += 1) sum += finite(samples[n]) ** 2;
  return sum;
}

function finite(sample: number | undefined): number {
  return sample !== undefined && Number.isFinite(sample) ? sample : 0;
}

/** Complex numbers side by side; as many as a power of two. */
interface Spectrum {
  readonly real: Float64Array;
  readonly imaginary: Float64Array;
}

export function emptySpectrum(size: number): Spectrum {
  return { real: new Float64Array(size), imaginary: new Float64Array(size) };
}

/** The discrete Fourier transform, in place. */
export function fft({ real, imaginary }: Spectrum): void {
  const size = real.length;
  reorder(real, imaginary);
  for (let half = 1; half < size; half *= 2) {
    const step = -Math.PI / half;
    for (let turn = 0; turn < half; turn += 1) {
      const cosine = Math.cos(step * turn);
      const sine = Math.sin(step * turn);
      for (let low = turn; low < size; low += 2 * half) {
        const high = low + half;
        const re = real[high] ?? 0;
        const im = imaginary[high] ?? 0;
        const turnedRe = re * cosine - im * sine;
        const turnedIm = re * sine + im * cosine;
        const lowRe = real[low] ?? 0;
        const lowIm = imaginary[low] ?? 0;
        real[high] = lowRe - turnedRe;
        imaginary[high] = lowIm - turnedIm;
        real[low] = lowRe + turnedRe;
        imaginary[low] = lowIm + turnedIm;
      }
    }
  }
}

/** The way back, in place: with the two parts changing places it is the same transform, scaled. */
function inverseFft({ real, imaginary }: Spectrum): void {
  fft({ real: imaginary, imaginary: real });
  const scale = 1 / real.length;
  for (let n = 0; n < real.length; n += 1) {
    real[n] = (real[n] ?? 0) * scale;
    imaginary[n] = (imaginary[n] ?? 0) * scale;
  }
}

/** Puts each number where its index points, read from the other end. */
function reorder(real: Float64Array, imaginary: Float64Array): void {
  for (let n = 1, other = 0; n < real.length; n += 1) {
    let bit = real.length >> 1;
    for (; (other & bit) !== 0; bit >>= 1) other ^= bit;
    other ^= bit;
    if (n >= other) continue;
    swap(real, n, other);
    swap(imaginary, n, other);
  }
}

function swap(numbers: Float64Array, one: number, other: number): void {
  const swapped = numbers[one] ?? 0;
  numbers[one] = numbers[other] ?? 0;
  numbers[other] = swapped;
}
