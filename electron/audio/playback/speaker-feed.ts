import type { Clock } from '../../../shared/ports/clock.ts';
import {
  bestAlignment,
  isQuiet,
  periodAtEnd,
  periodRange,
  type PeriodRange,
} from '../dsp/pitch-period.ts';
import { appendToHistory, fadeCurve, fadeIn } from '../dsp/samples.ts';
import { gentleStretch, timeStretch } from '../dsp/time-stretch.ts';
import type { PlayoutSink } from './speaker.ts';

interface SpeakerFeedDeps {
  readonly rate: number;
  readonly clock: Clock;
  readonly speaker: Pick<PlayoutSink, 'buffer' | 'send' | 'follow'>;
  readonly onGap?: ((ms: number) => void) | undefined;
}

/** Concealment begins this long before the speaker runs dry: a device takes 20 ms at once, and a timer may be late. */
const concealAheadMs = 30;
const checkEveryMs = 10;
const joinMs = 10;
const minGapMs = 20;

/**
 * Passes answers to the speaker at once, so that a busy process causes no gap. Conceals gaps within a turn, and
 * crossfades into sound that arrives late.
 */
export class SpeakerFeed {
  readonly #deps: SpeakerFeedDeps;
  readonly #concealment: Concealment;
  /** A turn has begun to play, and more of its sound will come. */
  #isInTurn = false;
  #isConcealing = false;
  /** The concealment has faded out, so the next sound must fade in. */
  #hasFadedOut = false;
  /** Time at which the speaker will run dry. */
  #dryAt = 0;
  #cancelCheck: () => void = () => undefined;
  concealedSamples = 0;
  concealmentEvents = 0;
  insertedSamples = 0;
  gapsOver20Ms = 0;

  constructor(deps: SpeakerFeedDeps) {
    this.#deps = deps;
    this.#concealment = new Concealment(deps.rate);
  }

  /** Length of the sound that the speaker has yet to play. */
  get bufferedMs(): number {
    return (this.#bufferedSamples * 1000) / this.#deps.rate;
  }

  /**
   * Plays sound of an answer, stretched by up to `stretchMs`; voiced sound by at most `maxVoicedShare`. Returns the
   * stretch in ms.
   */
  play(
    samples: Float32Array,
    turn: number,
    stretchMs: number,
    maxVoicedShare = gentleStretch,
  ): number {
    const { rate, clock, speaker } = this.#deps;
    const joined = this.#joinSound(samples);
    const wantedSamples = (stretchMs * rate) / 1000;
    let at = 0;
    const emit = (piece: Float32Array, isOriginal: boolean): void => {
      this.#concealment.follow(piece);
      if (!isOriginal) return speaker.buffer.insert(piece);
      speaker.buffer.write(samples.subarray(at, at + piece.length), turn, piece);
      at += piece.length;
    };
    const inserted = timeStretch(joined, wantedSamples, rate, emit, maxVoicedShare);
    speaker.send();
    this.insertedSamples += inserted;
    this.#isInTurn = true;
    this.#hasFadedOut = false;
    this.#dryAt = clock.now() + this.bufferedMs;
    this.#checkIn(this.bufferedMs - concealAheadMs);
    return (inserted * 1000) / rate;
  }

  endTurn(): void {
    this.#cancelCheck();
    if (this.#isConcealing) {
      const falling = fadeCurve(this.#samples(joinMs)).toReversed();
      const ending = this.#concealment.next(falling.length);
      this.#conceal(ending.map((sample, n) => sample * (falling[n] ?? 0)));
      this.#hasFadedOut = true;
    }
    this.#isConcealing = false;
    this.#isInTurn = false;
  }

  /** The speaker was flushed. */
  stop(): void {
    this.#cancelCheck();
    this.#hasFadedOut = false;
    this.#isConcealing = false;
    this.#isInTurn = false;
  }

  #joinSound(samples: Float32Array): Float32Array {
    const { rate, clock } = this.#deps;
    const continues = this.#isInTurn && this.#bufferedSamples > 0;
    if (this.#isConcealing && continues) {
      this.#isConcealing = false;
      return this.#crossfadeInto(samples);
    }
    this.#isConcealing = false;
    const ranDry = this.#isInTurn && !continues;
    const silentMs = clock.now() - this.#dryAt;
    if (ranDry && silentMs > (this.#concealment.isInPause ? pauseBridgeMs : minGapMs)) {
      this.gapsOver20Ms += 1;
      this.#deps.onGap?.(silentMs);
    }
    // Otherwise the speaker was silent, and then it fades in by itself.
    if (!this.#hasFadedOut) return samples;
    const faded = samples.slice();
    fadeIn(faded, rate);
    return faded;
  }

  /** Extends the concealment by up to one pitch period, so that both waves align and do not cancel out. */
  #crossfadeInto(samples: Float32Array): Float32Array {
    const rising = fadeCurve(Math.min(samples.length, this.#samples(joinMs)));
    const range = periodRange(this.#deps.rate);
    const fill = this.#concealment.next(range.max + rising.length);
    const from = bestAlignment(fill, samples.subarray(0, rising.length));
    if (from > 0) this.#conceal(fill.subarray(0, from));
    const joined = samples.slice();
    for (let n = 0; n < rising.length; n += 1) {
      const [before, sample] = [fill[from + n] ?? 0, joined[n] ?? 0];
      joined[n] = before + (sample - before) * (rising[n] ?? 1);
    }
    return joined;
  }

  #check(): void {
    const { bufferedMs } = this;
    if (bufferedMs > concealAheadMs) return this.#checkIn(bufferedMs - concealAheadMs);
    // Once the speaker has run dry, concealment would sound worse than silence.
    if (bufferedMs === 0) return;
    if (!this.#isConcealing) {
      this.#concealment.begin();
      if (this.#concealment.isOver) return;
      this.#isConcealing = true;
      this.concealmentEvents += 1;
    }
    if (this.#concealment.isOver) {
      this.#isConcealing = false;
      this.#hasFadedOut = true;
      return;
    }
    this.#conceal(
      this.#concealment.next(this.#samples(concealAheadMs + checkEveryMs - bufferedMs)),
    );
    this.#checkIn(checkEveryMs);
  }

  #conceal(block: Float32Array): void {
    const { speaker, clock } = this.#deps;
    this.concealedSamples += block.length;
    this.#concealment.follow(block);
    speaker.buffer.insert(block);
    speaker.send();
    this.#dryAt = clock.now() + this.bufferedMs;
  }

  get #bufferedSamples(): number {
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

/** Length of the sound in which the pitch period is searched. */
const windowMs = 10;
/** A prolonged voice sounds mechanical after this time, so it begins to fade. */
const steadyMs = 40;
const voicedFadeMs = 100;
/** A repeated unvoiced sound buzzes, so it fades at once and faster. */
const unvoicedFadeMs = 30;
/** A sound whose periods are less similar counts as unvoiced. */
const minSimilarity = 0.6;
const loopJoinMs = 2.5;
/** Longest gap in a voice that nobody hears if it is concealed. */
const voiceBridgeMs = 80;
/** Longest gap in a pause that nobody hears. */
const pauseBridgeMs = 60;

/** Fills a gap in the sound by repeating its last pitch period with a fade. */
export class Concealment {
  readonly #rate: number;
  readonly #range: PeriodRange;
  readonly #window: number;
  readonly #history: Float32Array;
  #loop = new Float32Array(1);
  /** Difference between the next sample by extrapolation and the loop's first sample. It fades within `loopJoinMs`. */
  #offset = 0;
  #steadyLength = 0;
  #fadeOut: Float32Array = new Float32Array(0);
  #position = 0;

  constructor(rate: number) {
    this.#rate = rate;
    this.#range = periodRange(rate);
    this.#window = this.#samples(windowMs);
    this.#history = new Float32Array(this.#window + this.#range.max);
  }

  /** True if the fill has faded out, or there was no sound to repeat. */
  get isOver(): boolean {
    return this.#position >= this.#steadyLength + this.#fadeOut.length;
  }

  /** True if the sound ended in a pause, which needs no fill. */
  get isInPause(): boolean {
    return isQuiet(this.#history, 0, this.#history.length);
  }

  /** Length of a gap that the fill makes inaudible. */
  get bridgeMs(): number {
    if (this.isInPause) return pauseBridgeMs;
    return Math.min(
      voiceBridgeMs,
      ((this.#steadyLength + this.#fadeOut.length) * 1000) / this.#rate,
    );
  }

  forget(): void {
    this.#history.fill(0);
  }

  /** Takes sound that is played. */
  follow(block: Float32Array): void {
    appendToHistory(this.#history, block);
  }

  /** Begins a gap after the sound taken last. */
  begin(): void {
    const history = this.#history;
    const { length } = history;
    this.#position = 0;
    this.#steadyLength = 0;
    this.#fadeOut = new Float32Array(0);
    if (this.isInPause) return;
    const period = periodAtEnd(history, this.#range, this.#window);
    const voiced = period.similarity >= minSimilarity;
    const lag = voiced ? period.length : this.#range.max;
    this.#steadyLength = voiced ? this.#samples(steadyMs) : 0;
    this.#fadeOut = fadeCurve(this.#samples(voiced ? voicedFadeMs : unvoicedFadeMs)).toReversed();
    this.#loop = history.slice(length - lag);
    // Crossfades the loop's end into the samples before its start, so that a repetition does not click.
    const seam = fadeCurve(Math.min(this.#samples(loopJoinMs), Math.floor(lag / 2)));
    for (let n = 0; n < seam.length; n += 1) {
      const at = lag - seam.length + n;
      const before = history[length - lag - seam.length + n] ?? 0;
      this.#loop[at] = mix(this.#loop[at] ?? 0, before, seam[n] ?? 0);
    }
    const next = 2 * (history[length - 1] ?? 0) - (history[length - 2] ?? 0);
    this.#offset = next - (this.#loop[0] ?? 0);
  }

  /** Returns the next samples; silence after the fade. */
  next(count: number): Float32Array {
    const joinLength = this.#samples(loopJoinMs);
    const block = new Float32Array(count);
    for (let n = 0; n < count && !this.isOver; n += 1, this.#position += 1) {
      const at = this.#position;
      const gain = at < this.#steadyLength ? 1 : (this.#fadeOut[at - this.#steadyLength] ?? 0);
      const offset = at < joinLength ? this.#offset * (1 - at / joinLength) : 0;
      block[n] = ((this.#loop[at % this.#loop.length] ?? 0) + offset) * gain;
    }
    return block;
  }

  #samples(ms: number): number {
    return Math.max(1, Math.round((ms * this.#rate) / 1000));
  }
}

function mix(one: number, other: number, share: number): number {
  return one + (other - one) * share;
}
