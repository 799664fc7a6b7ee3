import { inputRate } from '../../../shared/protocol/protocol-limits.ts';
import { powerSpectrum } from '../dsp/power-spectrum.ts';
import { emptyHalfSpectrum, RealFft } from '../dsp/real-fft.ts';

/** The bins at which a band begins: narrow where vowels are told apart, wide where consonants hiss. */
const bandEdges = [
  2, 4, 6, 8, 10, 12, 15, 18, 22, 26, 31, 37, 44, 52, 62, 74, 88, 105, 125, 150, 180, 216, 250,
] as const;
const bands = bandEdges.length - 1;
/** A step of 10 ms, looked at with what came before it. */
export const voiceStep = inputRate / 100;
const size = 512;
const voiceBins = size / 2 + 1;
/** What a step has of features: each band over the room, its share of the sound, how much of a tone there is, and how loud it is beside what was loud lately. */
const now = 2 * bands + 2;
/** They are given as they are, and averaged over 50, 200 and 800 ms: a voice swells and ebbs with its syllables. */
const fading = [0.2, 0.05, 0.0125];
const featureCount = now * (1 + fading.length);
/** What is softer is digital silence. */
const leastPower = 1e-9;
/** The room is the softest of the last one to two seconds, and grows by no more than that. */
const roomSteps = 100;
/** What was loud is forgotten by 4 dB a second. */
const peakFall = 0.004;
/** Voices are this high: 70 to 400 Hz. */
const shortestLag = Math.round(inputRate / 400);
const longestLag = Math.round(inputRate / 70);

/**
 * What of a sound tells a voice, every 10 ms, whatever its level is: how far each band stands over the room, what its
 * spectrum is like, and whether it has a pitch; now, and a while ago.
 */
export class VoiceFeatures {
  readonly values = new Float32Array(featureCount);
  /** The power of each bin, for who needs it too. */
  readonly power = new Float32Array(voiceBins);
  readonly #fft = new RealFft(size);
  readonly #shape = Float32Array.from(
    { length: size },
    (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (n + 0.5)) / size),
  );
  readonly #heard = new Float32Array(size);
  readonly #work = new Float32Array(size);
  readonly #spectrum = emptyHalfSpectrum(size);
  readonly #level = new Float32Array(bands);
  readonly #room = new Float32Array(bands);
  readonly #softest = new Float32Array(bands);
  readonly #softestBefore = new Float32Array(bands);
  readonly #shapeLags = windowLags(this.#shape);
  #steps = 0;
  #peak = 0;

  /** What comes now does not go on from what came before. */
  reset(): void {
    this.values.fill(0);
    this.#heard.fill(0);
    this.#steps = 0;
  }

  push(step: Float32Array): void {
    this.#heard.copyWithin(0, voiceStep);
    this.#heard.set(step, size - voiceStep);
    for (let n = 0; n < size; n += 1) this.#work[n] = (this.#heard[n] ?? 0) * (this.#shape[n] ?? 0);
    this.#fft.forward(this.#work, this.#spectrum);
    powerSpectrum(this.#spectrum, this.power);
    this.#levels();
    this.#followRoom();
    this.#fill();
    this.#average();
  }

  #levels(): void {
    for (let band = 0; band < bands; band += 1) {
      const from = bandEdges[band] ?? 0;
      const to = bandEdges[band + 1] ?? 0;
      let sum = 0;
      for (let bin = from; bin < to; bin += 1) sum += this.power[bin] ?? 0;
      this.#level[band] = Math.log10(sum / (to - from) / size + leastPower);
    }
  }

  #followRoom(): void {
    const first = this.#steps === 0;
    const turn = this.#steps % roomSteps === 0;
    for (let band = 0; band < bands; band += 1) {
      const level = this.#level[band] ?? 0;
      if (turn) {
        this.#softestBefore[band] = first ? level : (this.#softest[band] ?? 0);
        this.#softest[band] = level;
      } else if (level < (this.#softest[band] ?? 0)) this.#softest[band] = level;
      const softest = Math.min(this.#softest[band] ?? 0, this.#softestBefore[band] ?? 0);
      const known = first ? softest : (this.#room[band] ?? 0);
      this.#room[band] = softest < known ? softest : known + 0.02 * (softest - known);
    }
    this.#steps += 1;
  }

  #fill(): void {
    let mean = 0;
    for (let band = 0; band < bands; band += 1) mean += (this.#level[band] ?? 0) / bands;
    for (let band = 0; band < bands; band += 1) {
      const level = this.#level[band] ?? 0;
      this.values[band] = Math.min(3.5, level - (this.#room[band] ?? 0)) - 0.5;
      this.values[bands + band] = Math.max(-2, Math.min(2, level - mean));
    }
    this.values[2 * bands] = 2 * this.#pitch();
    this.values[2 * bands + 1] = this.#besidePeak(mean);
  }

  /** How far it is beneath what was loud in the last seconds. */
  #besidePeak(mean: number): number {
    const peak = this.#steps === 1 ? mean : this.#peak - peakFall;
    this.#peak = mean > peak ? peak + 0.3 * (mean - peak) : peak;
    return Math.max(-3, mean - this.#peak) + 0.5;
  }

  /** How well the sound repeats itself at the best of a voice's pitches, from 0 to 1. */
  #pitch(): number {
    const { re, im } = this.#spectrum;
    let all = 0;
    for (let bin = 0; bin < voiceBins; bin += 1) {
      // Below 60 Hz hums the mains, above 4 kHz no voice repeats itself.
      const power = bin < 2 || bin > 128 ? 0 : (this.power[bin] ?? 0);
      re[bin] = power;
      im[bin] = 0;
      all += power;
    }
    this.#fft.inverse(this.#spectrum, this.#work);
    const whole = (this.#work[0] ?? 0) + leastPower;
    let best = 0;
    for (let lag = shortestLag; lag <= longestLag; lag += 1) {
      const like = (this.#work[lag] ?? 0) / (whole * (this.#shapeLags[lag] ?? 1));
      if (like > best) best = like;
    }
    return all < leastPower * size ? 0 : Math.min(1, best);
  }

  #average(): void {
    for (const [at, share] of fading.entries()) {
      const from = now * (at + 1);
      for (let n = 0; n < now; n += 1) {
        const before = this.values[from + n] ?? 0;
        this.values[from + n] = before + share * ((this.values[n] ?? 0) - before);
      }
    }
  }
}

/** What a window takes of a repetition after each lag. */
function windowLags(shape: Float32Array): Float32Array {
  const lags = new Float32Array(longestLag + 1);
  for (let lag = 0; lag <= longestLag; lag += 1) {
    let sum = 0;
    for (let n = lag; n < size; n += 1) sum += (shape[n] ?? 0) * (shape[n - lag] ?? 0);
    lags[lag] = sum;
  }
  const whole = lags[0] ?? 1;
  return lags.map((lag) => lag / whole);
}
