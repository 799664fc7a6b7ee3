import { isQuiet, periodAfter, periodRange } from './pitch-period.ts';
import { fadeCurve } from './samples.ts';

/** Repeating one period in ten slows speech by a tenth, which is hardly audible. */
const maxSpacing = 10;
/** The closest repetition: one period in three. People who slow down hold vowels and keep consonants short. */
const minSpacing = 3;
/** Assumes that half of the remaining sound cannot be repeated, and starts early enough for that. */
const repeatableShare = 1 / 2;
const longerPauseMs = 120;
/** Required similarity of adjacent periods; below it, a repetition is audible. */
const minSimilarity = 0.85;
/** Distance and number of retries where nothing could be repeated; comparing costs time. */
const retryDistanceMs = 20;
const maxTries = 20;

/** Share by which every sound may be stretched, even if none is missing. */
export const gentleStretch = 1 / maxSpacing;
/** Limit for voiced sound: a quarter slower sounds like someone who thinks while speaking. */
export const maxStretch = 1 / 4;

/**
 * Emits the sound with pitch periods repeated in between, until it is `wantedSamples` longer or no more can be
 * inserted inaudibly. Voiced sound grows by at most `maxVoicedShare`. Returns the samples inserted.
 */
export function timeStretch(
  samples: Float32Array,
  wantedSamples: number,
  rate: number,
  emit: (piece: Float32Array, own: boolean) => void,
  maxVoicedShare = maxStretch,
): number {
  const range = periodRange(rate);
  const longestPause = (longerPauseMs * rate) / 1000;
  const longestVoice = maxVoicedShare * samples.length;
  let inserted = 0;
  let voiced = 0;
  let emittedSamples = 0;
  let at = 0;
  let tries = 0;
  let pause = 0;
  while (inserted < wantedSamples && tries < maxTries && at + 2 * range.max <= samples.length) {
    const quiet = isQuiet(samples, at, at + 2 * range.max);
    const { length, similarity: likeness } = periodAfter(samples, at, range);
    if (!quiet && (likeness < minSimilarity || voiced + length > longestVoice)) {
      tries += 1;
      at += Math.ceil((retryDistanceMs * rate) / 1000);
      continue;
    }
    emit(samples.subarray(emittedSamples, at + length), true);
    emit(repeatPeriod(samples, at, length), false);
    emittedSamples = at + length;
    inserted += length;
    if (!quiet) voiced += length;
    pause = quiet ? pause + length : 0;
    const spacingLimit = Math.floor(
      (repeatableShare * (samples.length - at)) / Math.max(1, wantedSamples - inserted),
    );
    const spacing = Math.min(maxSpacing, Math.max(minSpacing, spacingLimit));
    at += (quiet && pause < longestPause ? 1 : spacing) * length;
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

/** Reads sound from a position, with silence outside of it. */
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
  #tail: Float32Array;
  #at: number;
  #previous: number | undefined;

  constructor(rate: number, speed: number, at: number, read: ReadSound) {
    this.#read = read;
    this.#speed = speed;
    this.#at = at;
    this.#hop = Math.round((rate * hopMs) / 1000);
    this.#search = Math.round((rate * searchMs) / 1000);
    this.#rising = Float32Array.from(
      { length: this.#hop },
      (_none, n) => Math.sin(((n + 0.5) / this.#hop) * (Math.PI / 2)) ** 2,
    );
    this.#tail = new Float32Array(this.#hop);
  }

  /** Returns the next 15 ms. */
  next(): Float32Array {
    const hop = this.#hop;
    const from = this.#place();
    const piece = this.#read(from, 2 * hop);
    const sound = this.#tail;
    const tail = new Float32Array(hop);
    for (let n = 0; n < hop; n += 1) {
      const rise = this.#rising[n] ?? 1;
      sound[n] = (sound[n] ?? 0) + (piece[n] ?? 0) * rise;
      tail[n] = (piece[hop + n] ?? 0) * (1 - rise);
    }
    this.#tail = tail;
    this.#previous = from;
    this.#at += hop * this.#speed;
    return sound;
  }

  #place(): number {
    const targetPosition = Math.round(this.#at);
    if (this.#previous === undefined) return targetPosition;
    const hop = this.#hop;
    const follows = this.#previous + hop;
    // The real continuation always fits best.
    if (follows === targetPosition) return targetPosition;
    const natural = this.#read(follows, hop);
    const around = this.#read(targetPosition - this.#search, hop + 2 * this.#search);
    let best = this.#search;
    let most = 0;
    for (let lag = 0; lag <= 2 * this.#search; lag += 1) {
      let product = 0;
      let energy = 1e-9;
      for (let n = 0; n < hop; n += stride) {
        const sample = around[lag + n] ?? 0;
        product += sample * (natural[n] ?? 0);
        energy += sample * sample;
      }
      const likeness = product / Math.sqrt(energy);
      if (likeness > most) {
        most = likeness;
        best = lag;
      }
    }
    return targetPosition - this.#search + best;
  }
}
