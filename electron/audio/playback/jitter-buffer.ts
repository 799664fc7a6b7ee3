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
  /** Step length assumed for an unknown server: the session's chunk. */
  readonly stepMs: number;
  readonly pace?: ServerPace | undefined;
  /** The user's setting, read at each turn; `balanced` if omitted. */
  readonly starts?: (() => AnswerStart | undefined) | undefined;
  /** Receives the length of a silence within a turn, when it is over. */
  readonly gap?: ((ms: number) => void) | undefined;
}

/** Clock drift stays below this; a speaker further behind has really paused. */
const toleranceMs = 100;

interface Turn {
  readonly turn: number;
  readonly beganAt: number;
  readonly start: TurnStart;
  started: boolean;
  cancel: () => void;
}

/**
 * Plays answers on a speaker. A turn starts as soon as its sound is expected to last until more arrives
 * (docs/decisions/0012-jitter-buffer.md). The device's counters determine the playhead. The heard sound is
 * passed on along the session's timeline, without inserted samples.
 */
export class JitterBuffer implements Playback {
  readonly #options: JitterBufferOptions;
  readonly #feed: SpeakerFeed;
  readonly #pace: ServerPaceTracker;
  readonly #ducking: Ducking;
  /** Estimates how much of a gap could be concealed for a turn that has not started. */
  readonly #concealment: Concealment;
  #current: Turn | undefined;
  /** The remaining sound is fading out. */
  #silenced = false;
  #startDelayMs: number | undefined;
  #position = 0;
  /** Inserted samples that the timeline has already balanced. */
  #balanced = 0;

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
    const late = (toleranceMs * rate) / 1000 + insertedHeard - this.#balanced;
    if (behind <= (sounding ? late : 0)) return;
    this.#balanced = insertedHeard;
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

  /** Starts the pace of another server with what is known of it; applies from the next turn on. */
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
  readonly gap?: ((ms: number) => void) | undefined;
}

/** A device takes 20 ms at once, and a timer may be late. */
const leadMs = 30;
const checkEveryMs = 10;
const joinMs = 10;
const gapMs = 20;

/** Writes sound at once, so a busy process causes no gap. Conceals gaps and crossfades into late sound. */
export class SpeakerFeed {
  readonly #deps: Deps;
  readonly #concealment: Concealment;
  #open = false;
  #concealing = false;
  #diedAway = false;
  /** Time at which the speaker will run dry. */
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

  /** Sound at the speaker that has yet to be played. */
  get leftMs(): number {
    return (this.#left * 1000) / this.#deps.rate;
  }

  /** Plays answer sound, stretched by up to `longerByMs` and voiced parts by `most`. Returns the stretch in ms. */
  play(samples: Float32Array, turn: number, longerByMs: number, most = gentleStretch): number {
    const { rate, clock, speaker } = this.#deps;
    const joined = this.#joinSound(samples);
    const wantedSamples = (longerByMs * rate) / 1000;
    let at = 0;
    const give = (piece: Float32Array, own: boolean): void => {
      this.#concealment.follow(piece);
      if (!own) return speaker.buffer.insert(piece);
      speaker.buffer.write(samples.subarray(at, at + piece.length), turn, piece);
      at += piece.length;
    };
    const inserted = timeStretch(joined, wantedSamples, rate, give, most);
    speaker.send();
    this.insertedSamples += inserted;
    this.#open = true;
    this.#diedAway = false;
    this.#dryAt = clock.now() + this.leftMs;
    this.#checkIn(this.leftMs - leadMs);
    return (inserted * 1000) / rate;
  }

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

  #joinSound(samples: Float32Array): Float32Array {
    const { rate, clock } = this.#deps;
    const continues = this.#open && this.#left > 0;
    if (this.#concealing && continues) {
      this.#concealing = false;
      return this.#crossfadeInto(samples);
    }
    this.#concealing = false;
    const late = this.#open && !continues;
    const silentMs = clock.now() - this.#dryAt;
    if (late && silentMs > (this.#concealment.isInPause ? pauseBridgeMs : gapMs)) {
      this.gapsOver20Ms += 1;
      this.#deps.gap?.(silentMs);
    }
    // After silence the device fades in automatically.
    if (!this.#diedAway) return samples;
    const begun = samples.slice();
    fadeIn(begun, rate);
    return begun;
  }

  /** Extends the concealment by up to one period until the waves align; otherwise they would cancel out. */
  #crossfadeInto(samples: Float32Array): Float32Array {
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
    // After running dry, a new start would sound worse than silence.
    if (left === 0) return;
    if (!this.#concealing) {
      this.#concealment.begin();
      if (this.#concealment.isOver) return;
      this.#concealing = true;
      this.concealmentEvents += 1;
    }
    if (this.#concealment.isOver) {
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
