import type { Clock } from '../../../shared/ports/clock.ts';
import type { AnswerStart } from '../../../shared/settings/talking-settings.ts';
import { bestAlignment, periodRange } from '../dsp/pitch-period.ts';
import { emitSilence, fadeCurve, fadeIn } from '../dsp/samples.ts';
import { gentleStretch, timeStretch } from '../dsp/time-stretch.ts';
import { Concealment, pauseBridgeMs } from './concealment.ts';
import { Ducking } from './ducking.ts';
import type { Playback, PlaybackOptions, PlayoutStats } from './playback.ts';
import type { PlayoutCut } from './playout-buffer.ts';
import { type ServerPace, ServerPaceTracker } from './server-pace.ts';
import type { PlayoutSink } from './speaker.ts';
import { TurnStart } from './turn-start.ts';

export interface JitterBufferOptions extends PlaybackOptions {
  readonly clock: Clock;
  readonly speaker: PlayoutSink;
  /** How long a step is expected to take before any was seen: the session's chunk. */
  readonly stepMs: number;
  readonly pace?: ServerPace | undefined;
  /** The person's setting, asked at each beginning; balanced where it is left out. */
  readonly starts?: (() => AnswerStart | undefined) | undefined;
  /** A silence within a turn, emitted when it is over. */
  readonly gap?: ((ms: number) => void) | undefined;
}

/** Two clocks drift apart by less than this; a speaker that falls back further has truly paused. */
const toleranceMs = 100;

interface Turn {
  readonly turn: number;
  readonly beganAt: number;
  readonly start: TurnStart;
  started: boolean;
  cancel: () => void;
}

/**
 * A real speaker. A turn begins as soon as its sound can be expected to last until more comes:
 * docs/decisions/0012-jitter-buffer.md. How far it has been heard is what the device says; what was heard is
 * also handed on, on the session's time line, without what was put in between.
 */
export class JitterBuffer implements Playback {
  readonly #options: JitterBufferOptions;
  readonly #feed: SpeakerFeed;
  readonly #pace: ServerPaceTracker;
  readonly #ducking: Ducking;
  /** Would conceal a gap behind a turn that has not started. */
  readonly #concealment: Concealment;
  #current: Turn | undefined;
  /** All that is left to be heard fades out. */
  #silenced = false;
  #startDelayMs: number | undefined;
  #position = 0;
  /** The inserted samples that the time line has already made up for. */
  #madeUp = 0;

  constructor(options: JitterBufferOptions) {
    const { clock, speaker, stepMs, pace } = options;
    this.#options = options;
    this.#feed = new SpeakerFeed(options);
    this.#pace = new ServerPaceTracker(stepMs, pace);
    this.#ducking = new Ducking(clock, speaker);
    this.#concealment = new Concealment(options.rate);
    speaker.buffer.listen((samples) => {
      this.#position += samples.length;
      options.heard(samples);
    });
  }

  get queued(): number {
    return this.#options.speaker.buffer.queued;
  }

  get drained(): boolean {
    return this.queued === 0;
  }

  get playhead(): number {
    return this.#options.speaker.buffer.playhead;
  }

  reachOf(turn: number): number {
    return this.#options.speaker.buffer.reachOf(turn);
  }

  write(samples: Float32Array, turn: number): void {
    if (samples.length === 0) return;
    this.#silenced = false;
    const known = this.#current?.turn === turn ? this.#current : undefined;
    const current = known ?? this.#begin(turn);
    if (known !== undefined)
      this.#pace.addSound(this.#options.clock.now(), this.#ms(samples.length));
    if (!current.started) this.#hold(current, samples);
    else this.#feed.play(samples, turn, this.#pace.marginMs - this.#feed.leftMs);
  }

  turnEnded(turn: number): void {
    if (this.#current?.turn === turn) this.#end();
  }

  flush({ answer }: PlayoutCut = this.#options.speaker.flush()): number {
    this.#current?.cancel();
    this.#current = undefined;
    this.#pace.end();
    this.#feed.silenced();
    this.#silenced = true;
    return answer;
  }

  advanceTo(milliseconds: number): void {
    const { rate, speaker, heard } = this.#options;
    speaker.follow();
    const { insertedHeard, sounding } = speaker.buffer;
    const behind = Math.round((milliseconds * rate) / 1000) - this.#position;
    const late = (toleranceMs * rate) / 1000 + insertedHeard - this.#madeUp;
    if (behind <= (sounding ? late : 0)) return;
    this.#madeUp = insertedHeard;
    emitSilence(behind, heard);
    this.#position += behind;
  }

  setDucked(ducked: boolean): void {
    this.#ducking.to(ducked, !ducked && (this.drained || this.#silenced));
  }

  stats(): PlayoutStats {
    const { concealedSamples, concealmentEvents, insertedSamples, gapsOver20Ms } = this.#feed;
    return {
      bufferMs: this.#feed.leftMs + this.#heldMs,
      targetMs: this.#pace.marginMs,
      concealedSamples,
      concealmentEvents,
      insertedSamples,
      gapsOver20Ms,
      startDelayMs: this.#startDelayMs,
    };
  }

  /** Another server answers from the next turn on, of which this is known. */
  setPace(learned: ServerPace | undefined): void {
    this.#pace.relearn(learned);
  }

  pace(): ServerPace {
    return this.#pace.learned;
  }

  #begin(turn: number): Turn {
    this.#end();
    const beganAt = this.#options.clock.now();
    this.#pace.begin(beganAt);
    const { rate, starts } = this.#options;
    const start = new TurnStart({
      rate,
      pace: this.#pace,
      concealment: this.#concealment,
      starts: starts?.() ?? 'balanced',
    });
    const begun: Turn = { turn, beganAt, start, started: false, cancel: () => undefined };
    this.#current = begun;
    return begun;
  }

  #hold(turn: Turn, samples: Float32Array): void {
    const { clock, speaker } = this.#options;
    const now = clock.now();
    speaker.buffer.hold(samples, turn.turn);
    const startAt = turn.start.add(samples, now, this.#feed.leftMs);
    turn.cancel();
    if (startAt - now < 1) return this.#start(turn);
    turn.cancel = clock.after(startAt - now, () => this.#start(turn));
  }

  #start(turn: Turn): void {
    const { clock, speaker } = this.#options;
    const now = clock.now();
    turn.cancel();
    turn.started = true;
    this.#startDelayMs = now - turn.beganAt;
    const { mostStretch } = turn.start;
    let lack = turn.start.lackMs(now, this.#feed.leftMs) - this.#heldMs;
    for (const samples of speaker.buffer.takeHeld())
      lack -= this.#feed.play(samples, turn.turn, lack, mostStretch);
  }

  #end(): void {
    const current = this.#current;
    if (current === undefined) return;
    current.start.complete();
    if (!current.started) this.#start(current);
    this.#feed.endTurn();
    this.#pace.end();
    this.#current = undefined;
  }

  get #heldMs(): number {
    return this.#ms(this.#options.speaker.buffer.held);
  }

  #ms(samples: number): number {
    return (samples * 1000) / this.#options.rate;
  }
}

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
      if (!own) return speaker.buffer.insert(piece);
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
    if (left > leadMs) return this.#checkIn(left - leadMs);
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
