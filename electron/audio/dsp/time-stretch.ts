import { isQuiet, periodAfter, periodRange } from './pitch-period.ts';
import { fadeCurve } from './samples.ts';

/** The widest spacing of repetitions, in periods: repeating one in ten slows speech by a tenth, which is hardly audible. */
const maxSpacing = 10;
/** The narrowest spacing, in periods: one in three is repeated. */
const minSpacing = 3;
/** To choose the spacing, assumes that this share of the remaining sound can be repeated. */
const repeatableShare = 1 / 2;
/** In a pause, every period is repeated until the repetitions are this long. */
const longerPauseMs = 120;
/** Adjacent periods must be this similar (1: equal); between less similar ones, a repetition is audible. */
const minSimilarity = 0.85;
/**
 * Where a period cannot be repeated, the search continues this much later, up to `maxTries` times, because
 * each try costs processor time.
 */
const retryDistanceMs = 20;
const maxTries = 20;

/** Share by which voiced sound can grow almost inaudibly. */
export const gentleStretch = 1 / maxSpacing;
/** Largest share by which voiced sound may grow: a quarter sounds like someone who thinks while speaking. */
export const maxStretch = 1 / 4;

/**
 * Emits the sound with pitch periods repeated in between, until it is `wantedSamples` longer or no more can be
 * inserted inaudibly. Voiced sound grows by at most `maxVoicedShare`. Returns the samples inserted.
 */
export function timeStretch(
  samples: Float32Array,
  wantedSamples: number,
  rate: number,
  emit: (piece: Float32Array, isOriginal: boolean) => void,
  maxVoicedShare = maxStretch,
): number {
  const range = periodRange(rate);
  const maxPause = (longerPauseMs * rate) / 1000;
  const maxVoiced = maxVoicedShare * samples.length;
  let inserted = 0;
  let voiced = 0;
  let emittedSamples = 0;
  let at = 0;
  let tries = 0;
  let pause = 0;
  while (inserted < wantedSamples && tries < maxTries && at + 2 * range.max <= samples.length) {
    const isPause = isQuiet(samples, at, at + 2 * range.max);
    const { length, similarity } = periodAfter(samples, at, range);
    if (!isPause && (similarity < minSimilarity || voiced + length > maxVoiced)) {
      tries += 1;
      at += Math.ceil((retryDistanceMs * rate) / 1000);
      continue;
    }
    emit(samples.subarray(emittedSamples, at + length), true);
    emit(repeatPeriod(samples, at, length), false);
    emittedSamples = at + length;
    inserted += length;
    if (!isPause) voiced += length;
    pause = isPause ? pause + length : 0;
    const spacingLimit = Math.floor(
      (repeatableShare * (samples.length - at)) / Math.max(1, wantedSamples - inserted),
    );
    const spacing = Math.min(maxSpacing, Math.max(minSpacing, spacingLimit));
    at += (isPause && pause < maxPause ? 1 : spacing) * length;
  }
  if (emittedSamples < samples.length) emit(samples.subarray(emittedSamples), true);
  return inserted;
}

/** Crossfades from the sound after the period into the period itself, so the repetition joins on both sides. */
function repeatPeriod(samples: Float32Array, start: number, length: number): Float32Array {
  const rising = fadeCurve(length);
  return rising.map((rise, n) => {
    const following = samples[start + length + n] ?? 0;
    const repeated = samples[start + n] ?? 0;
    return following + (repeated - following) * rise;
  });
}

/** Reads `count` samples from a position. Outside of the sound they are silent. */
export type ReadSound = (at: number, count: number) => Float32Array;

const hopMs = 15;
/** More than half the period of the lowest voice. */
const searchMs = 10;
/** Every third sample is enough, because the relevant part of voices is below 4 kHz. */
const stride = 3;

/** Changes speed and keeps pitch (WSOLA): overlaps pieces where each best continues the previous one. */
export class TimeScale {
  readonly #read: ReadSound;
  readonly #speed: number;
  readonly #hop: number;
  readonly #search: number;
  readonly #rising: Float32Array;
  #fadingOut: Float32Array;
  #target: number;
  #previous: number | undefined;

  constructor(rate: number, speed: number, at: number, read: ReadSound) {
    this.#read = read;
    this.#speed = speed;
    this.#target = at;
    this.#hop = Math.round((rate * hopMs) / 1000);
    this.#search = Math.round((rate * searchMs) / 1000);
    this.#rising = Float32Array.from(
      { length: this.#hop },
      (_none, n) => Math.sin(((n + 0.5) / this.#hop) * (Math.PI / 2)) ** 2,
    );
    this.#fadingOut = new Float32Array(this.#hop);
  }

  /** Returns the next 15 ms. */
  next(): Float32Array {
    const hop = this.#hop;
    const from = this.#findPosition();
    const piece = this.#read(from, 2 * hop);
    const sound = this.#fadingOut;
    const tail = new Float32Array(hop);
    for (let n = 0; n < hop; n += 1) {
      const rise = this.#rising[n] ?? 1;
      sound[n] = (sound[n] ?? 0) + (piece[n] ?? 0) * rise;
      tail[n] = (piece[hop + n] ?? 0) * (1 - rise);
    }
    this.#fadingOut = tail;
    this.#previous = from;
    this.#target += hop * this.#speed;
    return sound;
  }

  #findPosition(): number {
    const targetPosition = Math.round(this.#target);
    if (this.#previous === undefined) return targetPosition;
    const hop = this.#hop;
    const continuation = this.#previous + hop;
    // The original continuation always fits best.
    if (continuation === targetPosition) return targetPosition;
    const expected = this.#read(continuation, hop);
    const around = this.#read(targetPosition - this.#search, hop + 2 * this.#search);
    let bestLag = this.#search;
    let bestSimilarity = 0;
    for (let lag = 0; lag <= 2 * this.#search; lag += 1) {
      let product = 0;
      let energy = 1e-9;
      for (let n = 0; n < hop; n += stride) {
        const sample = around[lag + n] ?? 0;
        product += sample * (expected[n] ?? 0);
        energy += sample * sample;
      }
      const similarity = product / Math.sqrt(energy);
      if (similarity > bestSimilarity) {
        bestSimilarity = similarity;
        bestLag = lag;
      }
    }
    return targetPosition - this.#search + bestLag;
  }
}
