import type { Clock } from '../../../shared/ports/clock.ts';
import { bestAlignment, periodRange } from '../dsp/pitch-period.ts';
import { fadeCurve, fadeIn } from '../dsp/samples.ts';
import { gentleStretch, timeStretch } from '../dsp/time-stretch.ts';
import { Concealment, pauseBridgeMs } from './concealment.ts';
import type { PlayoutSink } from './speaker.ts';

interface Deps {
  readonly rate: number;
  readonly clock: Clock;
  readonly speaker: Pick<PlayoutSink, 'buffer' | 'send' | 'follow'>;
  /** A silence within a turn, emitted when it is over. */
  readonly gap?: ((ms: number) => void) | undefined;
}

/** A device takes 20 ms at once, and a timer may be late. */
const leadMs = 30;
const checkEveryMs = 10;
const joinMs = 10;
/** A shorter silence is not heard as one. */
const gapMs = 20;

/**
 * Gives the speaker all there is at once, so that a busy process is not heard. Before it runs dry in
 * the middle of a turn the gap is concealed, and what comes late is led into.
 */
export class SpeakerFeed {
  readonly #deps: Deps;
  readonly #concealment: Concealment;
  /** Amid a turn: more is to come. */
  #open = false;
  #concealing = false;
  /** The sound that went out last has died away. */
  #diedAway = false;
  /** When what the speaker has will have been played. */
  #dryAt = 0;
  #cancelCheck: () => void = () => undefined;
  concealedSamples = 0;
  concealmentEvents = 0;
  insertedSamples = 0;
  gapsOver20Ms = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#concealment = new Concealment(deps.rate);
  }

  /** The sound that the speaker has and has not played. */
  get leftMs(): number {
    return (this.#left * 1000) / this.#deps.rate;
  }

  /**
   * Sound of the answer, stretched by up to so many milliseconds and, pauses aside, such a share of it; says by how many it was.
   */
  play(samples: Float32Array, turn: number, longerByMs: number, most = gentleStretch): number {
    const { rate, clock, speaker } = this.#deps;
    const joined = this.#joined(samples);
    const wanted = (longerByMs * rate) / 1000;
    let at = 0;
    const give = (piece: Float32Array, own: boolean): void => {
      this.#concealment.follow(piece);
      if (!own) {
        speaker.buffer.insert(piece);
        return;
      }
      speaker.buffer.write(samples.subarray(at, at + piece.length), turn, piece);
      at += piece.length;
    };
    const inserted = timeStretch(joined, wanted, rate, give, most);
    speaker.send();
    this.insertedSamples += inserted;
    this.#open = true;
    this.#diedAway = false;
    this.#dryAt = clock.now() + this.leftMs;
    this.#checkIn(this.leftMs - leadMs);
    return (inserted * 1000) / rate;
  }

  /** The turn is complete: the rest plays out. */
  endTurn(): void {
    this.#cancelCheck();
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
    this.#cancelCheck();
    this.#diedAway = false;
    this.#concealing = false;
    this.#open = false;
  }

  #joined(samples: Float32Array): Float32Array {
    const { rate, clock } = this.#deps;
    const goesOn = this.#open && this.#left > 0;
    if (this.#concealing && goesOn) {
      this.#concealing = false;
      return this.#ledInto(samples);
    }
    this.#concealing = false;
    const late = this.#open && !goesOn;
    const silentMs = clock.now() - this.#dryAt;
    if (late && silentMs > (this.#concealment.inPause ? pauseBridgeMs : gapMs)) {
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
    const range = periodRange(this.#deps.rate);
    const old = this.#concealment.next(range.max + rising.length);
    const from = bestAlignment(old, samples.subarray(0, rising.length));
    if (from > 0) this.#conceal(old.subarray(0, from));
    const joined = samples.slice();
    for (let n = 0; n < rising.length; n += 1) {
      const [before, sample] = [old[from + n] ?? 0, joined[n] ?? 0];
      joined[n] = before + (sample - before) * (rising[n] ?? 1);
    }
    return joined;
  }

  #check(): void {
    const left = this.leftMs;
    if (left > leadMs) {
      this.#checkIn(left - leadMs);
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
    this.#conceal(this.#concealment.next(this.#samples(leadMs + checkEveryMs - left)));
    this.#checkIn(checkEveryMs);
  }

  #conceal(block: Float32Array): void {
    const { speaker, clock } = this.#deps;
    this.concealedSamples += block.length;
    this.#concealment.follow(block);
    speaker.buffer.insert(block);
    speaker.send();
    this.#dryAt = clock.now() + this.leftMs;
  }

  get #left(): number {
    const { speaker } = this.#deps;
    speaker.follow();
    return speaker.buffer.waiting;
  }

  #checkIn(ms: number): void {
    this.#cancelCheck();
    this.#cancelCheck = this.#deps.clock.after(Math.max(checkEveryMs / 2, ms), () => {
      try {
        this.#check();
      } catch (error) {
        this.#checkIn(checkEveryMs);
        throw error;
      }
    });
  }

  #samples(ms: number): number {
    return Math.max(1, Math.round((ms * this.#deps.rate) / 1000));
  }
}
