import type { Clock } from '../../ports/clock.ts';
import { Concealment } from './concealment.ts';
import { fadeCurve, fadeIn } from '../dsp/fade.ts';
import { bestAlignment, periodRange } from '../dsp/pitch-period.ts';
import type { PlayoutQueue } from './playout-queue.ts';
import type { Speaker } from '../devices/speaker.ts';
import { maxStretch, timeStretch } from '../dsp/time-stretch.ts';

interface Deps {
  readonly rate: number;
  readonly clock: Clock;
  readonly speaker: Pick<Speaker, 'write' | 'queued'>;
  readonly queue: PlayoutQueue;
  /** A silence within a turn, told when it is over. */
  readonly gap?: ((ms: number) => void) | undefined;
}

/** A device takes 20 ms at once, and a timer may be late. */
const leadMs = 30;
const lookEveryMs = 10;
const joinMs = 10;
/** A shorter silence is not heard as one. */
const gapMs = 20;

/**
 * Gives the speaker all there is at once, so that a busy process is not heard. Before it runs dry in
 * the middle of a turn the sound is gone on with, and what comes late is led into.
 */
export class SpeakerFeed {
  readonly #deps: Deps;
  readonly #concealment: Concealment;
  /** Amid a turn: more is to come. */
  #open = false;
  #concealing = false;
  /** What went out last has died away. */
  #diedAway = false;
  /** When what the speaker has will have been played. */
  #dryAt = 0;
  #stopLooking: () => void = () => undefined;
  concealedSamples = 0;
  concealmentEvents = 0;
  insertedSamples = 0;
  gapsOver20Ms = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#concealment = new Concealment(deps.rate);
  }

  get leftMs(): number {
    return (this.#deps.speaker.queued() * 1000) / this.#deps.rate;
  }

  /** Sound of the answer, stretched by up to so many milliseconds; says by how many it was. */
  say(samples: Float32Array, longerByMs: number): number {
    const { rate, clock } = this.#deps;
    const joined = this.#joined(samples);
    const wanted = Math.min(maxStretch * samples.length, (longerByMs * rate) / 1000);
    const pieces: Float32Array[] = [];
    const inserted = timeStretch(joined, wanted, rate, (piece, own) => {
      pieces.push(piece);
      this.#deps.queue.sent(piece.length, own);
    });
    this.#write(inserted === 0 ? joined : oneOf(pieces));
    this.insertedSamples += inserted;
    this.#open = true;
    this.#diedAway = false;
    this.#dryAt = clock.now() + this.leftMs;
    this.#lookIn(this.leftMs - leadMs);
    return (inserted * 1000) / rate;
  }

  /** Nothing more is to come: what there is plays out. */
  rest(): void {
    this.#stopLooking();
    if (this.#concealing) {
      const falling = fadeCurve(this.#samples(joinMs)).toReversed();
      const ending = this.#concealment.next(falling.length);
      this.#conceal(ending.map((sample, n) => sample * (falling[n] ?? 0)));
      this.#diedAway = true;
    }
    this.#concealing = false;
    this.#open = false;
  }

  /** The speaker was silenced. */
  silenced(): void {
    this.#stopLooking();
    this.#diedAway = false;
    this.#concealing = false;
    this.#open = false;
  }

  #joined(samples: Float32Array): Float32Array {
    const { rate, clock } = this.#deps;
    const goesOn = this.#open && this.#deps.speaker.queued() > 0;
    if (this.#concealing && goesOn) {
      this.#concealing = false;
      return this.#ledInto(samples);
    }
    this.#concealing = false;
    const late = this.#open && !goesOn;
    const silentMs = clock.now() - this.#dryAt;
    if (late && silentMs > gapMs) {
      this.gapsOver20Ms += 1;
      this.#deps.gap?.(silentMs);
    }
    // After a silence the device fades in by itself.
    if (!this.#diedAway) return samples;
    const begun = samples.slice();
    fadeIn(begun, rate);
    return begun;
  }

  /** Goes on for up to one more period, until the waves run alike: else they would cancel out. */
  #ledInto(samples: Float32Array): Float32Array {
    const rising = fadeCurve(Math.min(samples.length, this.#samples(joinMs)));
    const { longest } = periodRange(this.#deps.rate);
    const old = this.#concealment.next(longest + rising.length);
    const from = bestAlignment(old, samples.subarray(0, rising.length));
    if (from > 0) this.#conceal(old.subarray(0, from));
    const joined = samples.slice();
    for (let n = 0; n < rising.length; n += 1) {
      const [before, sample] = [old[from + n] ?? 0, joined[n] ?? 0];
      joined[n] = before + (sample - before) * (rising[n] ?? 1);
    }
    return joined;
  }

  #look(): void {
    const left = this.leftMs;
    if (left > leadMs) {
      this.#lookIn(left - leadMs);
      return;
    }
    // Where it has run dry already, to begin again would be worse than silence.
    if (left === 0) return;
    if (!this.#concealing) {
      this.#concealment.begin();
      if (this.#concealment.over) return;
      this.#concealing = true;
      this.concealmentEvents += 1;
    }
    if (this.#concealment.over) {
      this.#concealing = false;
      this.#diedAway = true;
      return;
    }
    this.#conceal(this.#concealment.next(this.#samples(leadMs + lookEveryMs - left)));
    this.#lookIn(lookEveryMs);
  }

  #conceal(block: Float32Array): void {
    this.concealedSamples += block.length;
    this.#deps.queue.sent(block.length, false);
    this.#write(block);
    this.#dryAt = this.#deps.clock.now() + this.leftMs;
  }

  #write(block: Float32Array): void {
    this.#deps.speaker.write(block);
    this.#concealment.follow(block);
  }

  #lookIn(ms: number): void {
    this.#stopLooking();
    this.#stopLooking = this.#deps.clock.after(Math.max(lookEveryMs / 2, ms), () => {
      this.#look();
    });
  }

  #samples(ms: number): number {
    return Math.max(1, Math.round((ms * this.#deps.rate) / 1000));
  }
}

/** A device that is asked between two writes would find the first piece only, and run dry. */
function oneOf(pieces: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
