import { isQuiet, periodAfter, periodRange } from './pitch-period.ts';
import { fadeCurve } from './samples.ts';

/** One period in ten is said twice: ten per cent slower is hardly heard… */
const seldomPeriods = 10;
/** …and one in three where it has to be: who slows down holds the vowels, and says the consonants as ever. */
const oftenPeriods = 3;
/** Half of what is still to come may not repeat itself: what is wanted is begun with as if it were so. */
const repeating = 1 / 2;
/** A pause between words may grow by so much. */
const longerPauseMs = 120;
/** Where a sound does not repeat itself by that much, a period put in would be heard. */
const minLikeness = 0.85;
/** How far on it is tried again where nothing could be put in, and how often: comparing takes time. */
const nextTryMs = 20;
const maxTries = 20;

/** By how much a sound is made longer without any need. */
export const gentleStretch = 1 / seldomPeriods;
/** By how much it can be made longer: a quarter slower is somebody who thinks while they speak. Pauses may grow as well. */
export const maxStretch = 1 / 4;

/**
 * Hands a sound on in pieces, its own samples untouched and in order, with single periods put in
 * between until it is longer by as much as wanted, as far as that goes unheard: the more is wanted, the closer
 * together, and of what is no pause by no more than such a share. Says by how much.
 */
export function timeStretch(
  samples: Float32Array,
  wanted: number,
  rate: number,
  give: (piece: Float32Array, own: boolean) => void,
  most = maxStretch,
): number {
  const range = periodRange(rate);
  const longestPause = (longerPauseMs * rate) / 1000;
  const longestVoice = most * samples.length;
  let inserted = 0;
  let voiced = 0;
  let given = 0;
  let at = 0;
  let tries = 0;
  let pause = 0;
  while (inserted < wanted && tries < maxTries && at + 2 * range.max <= samples.length) {
    const quiet = isQuiet(samples, at, at + 2 * range.max);
    const { length, likeness } = periodAfter(samples, at, range);
    if (!quiet && (likeness < minLikeness || voiced + length > longestVoice)) {
      tries += 1;
      at += Math.ceil((nextTryMs * rate) / 1000);
      continue;
    }
    give(samples.subarray(given, at + length), true);
    give(onceMore(samples, at, length), false);
    given = at + length;
    inserted += length;
    if (!quiet) voiced += length;
    pause = quiet ? pause + length : 0;
    const often = Math.floor((repeating * (samples.length - at)) / Math.max(1, wanted - inserted));
    const apart = Math.min(seldomPeriods, Math.max(oftenPeriods, often));
    at += (quiet && pause < longestPause ? 1 : apart) * length;
  }
  if (given < samples.length) give(samples.subarray(given), true);
  return inserted;
}

/** Leads from the end of a period back to that end: out of what follows it, into the period itself. */
function onceMore(samples: Float32Array, start: number, length: number): Float32Array {
  const rising = fadeCurve(length);
  return rising.map((rise, n) => {
    const follows = samples[start + length + n] ?? 0;
    const again = samples[start + n] ?? 0;
    return follows + (again - follows) * rise;
  });
}

/** Gives sound from a place on, silence where there is none. */
export type ReadSound = (at: number, count: number) => Float32Array;

const hopMs = 15;
/** Half the period of the lowest voice. */
const searchMs = 10;
/** The correlation needs only every third sample: voices have nothing above 4 kHz that matters to it. */
const stride = 3;

/**
 * Sound faster or slower with its pitch kept (WSOLA): overlapping pieces, each taken near where it
 * belongs and just there where it goes on best from the one before.
 */
export class TimeScale {
  readonly #read: ReadSound;
  readonly #speed: number;
  readonly #hop: number;
  readonly #search: number;
  readonly #rising: Float32Array;
  #tail: Float32Array;
  /** Where the next piece belongs. */
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

  /** The next 15 ms. */
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
    const wanted = Math.round(this.#at);
    if (this.#previous === undefined) return wanted;
    const hop = this.#hop;
    const follows = this.#previous + hop;
    // The real continuation is always the best one.
    if (follows === wanted) return wanted;
    const natural = this.#read(follows, hop);
    const around = this.#read(wanted - this.#search, hop + 2 * this.#search);
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
    return wanted - this.#search + best;
  }
}
