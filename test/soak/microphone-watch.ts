import { inputRate } from '../../shared/protocol/realtime-api.ts';
import { findSound } from '../bench/conversation/find-sound.ts';
import type { GatewayMessage } from '../bench/conversation/gateway.ts';
import type { SoundTape } from '../bench/conversation/sound-tape.ts';

export type Append = Extract<GatewayMessage, { kind: 'append' }>;

/** The rig's own capture may have a chunk's end later than the server has it. */
const waitMs = 400;
/** No older than this is the end of a chunk that has just come. */
const lookBackMs = 700;
/** Two conversions of one noise may lie half a sample apart, and Parley makes it softer. */
const minLikeness = 0.6;

/** Where the end of an append was found in what the rig itself has captured. */
interface Place {
  readonly session: number;
  /** In samples of the rig's capture. */
  readonly end: number;
  /** How old that sample was when its bytes came. */
  readonly delayMs: number;
  /** What should lie between this place and the one before it, and what does. */
  readonly lostMs: number | undefined;
}

/** Whoever is later than this is not at what is said now yet: a session gets a second of it at a time. */
const behindMs = 100;

/** What was not sent between two sessions, or while one took over, and whether somebody spoke in it. */
interface Hole {
  readonly session: number;
  readonly ms: number;
  readonly spoken: boolean;
}

/** Finds the end of every append in the microphone's sound: what lies between two of them has all been sent. */
export class MicrophoneWatch {
  readonly places: Place[] = [];
  readonly holes: Hole[] = [];
  appends = 0;
  unplaced = 0;
  readonly #source: SoundTape;
  /** Samples that have come since the last place. */
  #since = 0;
  /** Of a session that has only just taken over, and gets what was said before it did. */
  #behind = true;

  constructor(source: SoundTape) {
    this.#source = source;
  }

  heard(append: Append): void {
    this.appends += 1;
    setTimeout(() => {
      this.#place(append);
    }, waitMs);
  }

  /** Beyond what the clocks of two captures differ by. */
  get lostMs(): number {
    return this.places.reduce((sum, { lostMs = 0 }) => sum + (lostMs > 5 ? lostMs : 0), 0);
  }

  #place({ at, session, samples, end }: Append): void {
    const from = Math.max(0, this.#source.sampleAt(at - lookBackMs));
    const until = Math.min(this.#source.count, this.#source.sampleAt(at) + inputRate / 50);
    const found = findSound(Float32Array.from(end), this.#source.part(from, until));
    this.#since += samples;
    if (found.likeness < minLikeness) {
      this.unplaced += 1;
      return;
    }
    const place = from + found.at + end.length;
    const before = this.places.at(-1);
    const same = before?.session === session;
    const ms = before && ((place - this.#since - before.end) * 1000) / inputRate;
    // How long an answer was waited for is not sent again: that was over when the append before it came.
    const leftOut = same && this.#behind && ms !== undefined && ms > 0 && ms < before.delayMs;
    const hole = !same || leftOut;
    if (before !== undefined && ms !== undefined && hole) this.#tellHole(session, before.end, ms);
    const delayMs = at - this.#source.timeOf(place);
    this.places.push({ session, end: place, delayMs, lostMs: hole ? undefined : ms });
    this.#since = 0;
    this.#behind = !same || (this.#behind && delayMs > behindMs);
  }

  #tellHole(session: number, from: number, ms: number): void {
    const until = from + Math.max(0, (ms * inputRate) / 1000);
    const loud = this.#source.firstLoud(Math.max(0, Math.round(from)));
    this.holes.push({ session, ms, spoken: loud !== undefined && loud < until });
  }
}
