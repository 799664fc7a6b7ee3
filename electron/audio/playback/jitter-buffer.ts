import type { Clock } from '../../../shared/ports/clock.ts';
import type { AnswerStart } from '../../../shared/settings/app-settings.ts';
import { emitSilence, fadeCurve, fadeIn } from '../dsp/samples.ts';
import { Concealment } from './concealment.ts';
import { Ducking } from './ducking.ts';
import type { Playback, PlaybackOptions, PlayoutStats } from './playback.ts';
import type { PlayoutCut } from './playout-buffer.ts';
import { type ServerPace, ServerPaceTracker } from './server-pace.ts';
import type { PlayoutSink } from './speaker.ts';
import { TurnStart } from './turn-start.ts';
import { bestAlignment, periodRange } from '../dsp/pitch-period.ts';
import { gentleStretch, timeStretch } from '../dsp/time-stretch.ts';

export interface JitterBufferOptions extends PlaybackOptions {
  readonly clock: Clock;
  readonly speaker: PlayoutSink;
  /** Length of the server's steps: the session's chunk. */
  readonly stepMs: number;
  readonly pace?: ServerPace | undefined;
  /** When the user wants an answer to start, read at each turn; `balanced` if omitted. */
  readonly answerStart?: (() => AnswerStart | undefined) | undefined;
  /** Receives the length of each audible silence within a turn once it is over. */
  readonly onGap?: ((ms: number) => void) | undefined;
}

/** A speaker that is further behind the timeline has paused. Clock drift stays below this. */
const toleranceMs = 100;

interface Turn {
  readonly turn: number;
  readonly beganAt: number;
  readonly start: TurnStart;
  isPlaying: boolean;
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
  /** Estimates how much of a gap concealment could fill for a turn that has not started. */
  readonly #concealment: Concealment;
  #current: Turn | undefined;
  /** The queue was flushed and no new sound has come, so the speaker only fades out. */
  #isFlushed = false;
  #startDelayMs: number | undefined;
  #position = 0;
  /** Number of inserted samples that were heard and for whose time the timeline has got silence. */
  #madeUpSamples = 0;

  constructor(options: JitterBufferOptions) {
    const { clock, speaker, stepMs, pace } = options;
    this.#options = options;
    this.#feed = new SpeakerFeed(options);
    this.#pace = new ServerPaceTracker(stepMs, pace);
    this.#ducking = new Ducking(clock, speaker);
    this.#concealment = new Concealment(options.rate);
    speaker.buffer.listen((samples) => {
      this.#position += samples.length;
      options.onHeard(samples);
    });
  }

  get queued(): number {
    return this.#options.speaker.buffer.queued;
  }

  get isDrained(): boolean {
    return this.queued === 0;
  }

  get playhead(): number {
    return this.#options.speaker.buffer.playhead;
  }

  samplesOf(turn: number): number {
    return this.#options.speaker.buffer.samplesOf(turn);
  }

  write(samples: Float32Array, turn: number): void {
    if (samples.length === 0) return;
    this.#isFlushed = false;
    const known = this.#current?.turn === turn ? this.#current : undefined;
    const current = known ?? this.#begin(turn);
    if (known !== undefined)
      this.#pace.addSound(this.#options.clock.now(), this.#ms(samples.length));
    if (!current.isPlaying) this.#holdBack(current, samples);
    else this.#feed.play(samples, turn, this.#pace.marginMs - this.#feed.bufferedMs);
  }

  turnEnded(turn: number): void {
    if (this.#current?.turn === turn) this.#end();
  }

  flush({ answer }: PlayoutCut = this.#options.speaker.flush()): number {
    this.#current?.cancel();
    this.#current = undefined;
    this.#pace.end();
    this.#feed.stop();
    this.#isFlushed = true;
    return answer;
  }

  /**
   * Emits silence where the speaker has paused. The timeline has no inserted samples; silence stands for their time.
   */
  advanceTo(milliseconds: number): void {
    const { rate, speaker, onHeard } = this.#options;
    speaker.follow();
    const { insertedHeard, isSounding } = speaker.buffer;
    const behind = Math.round((milliseconds * rate) / 1000) - this.#position;
    const late = (toleranceMs * rate) / 1000 + insertedHeard - this.#madeUpSamples;
    if (behind <= (isSounding ? late : 0)) return;
    this.#madeUpSamples = insertedHeard;
    emitSilence(behind, onHeard);
    this.#position += behind;
  }

  setDucked(ducked: boolean): void {
    this.#ducking.set(ducked, !ducked && (this.isDrained || this.#isFlushed));
  }

  stats(): PlayoutStats {
    const { concealedSamples, concealmentEvents, insertedSamples, gapsOver20Ms } = this.#feed;
    return {
      bufferMs: this.#feed.bufferedMs + this.#heldBackMs,
      targetMs: this.#pace.marginMs,
      concealedSamples,
      concealmentEvents,
      insertedSamples,
      gapsOver20Ms,
      startDelayMs: this.#startDelayMs,
    };
  }

  /** Switches to the pace of another server from the next turn on; `learned` is that pace, as far as it is known. */
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
    const { rate, answerStart } = this.#options;
    const start = new TurnStart({
      rate,
      pace: this.#pace,
      concealment: this.#concealment,
      answerStart: answerStart?.() ?? 'balanced',
    });
    const begun: Turn = { turn, beganAt, start, isPlaying: false, cancel: () => undefined };
    this.#current = begun;
    return begun;
  }

  #holdBack(turn: Turn, samples: Float32Array): void {
    const { clock, speaker } = this.#options;
    const now = clock.now();
    speaker.buffer.holdBack(samples, turn.turn);
    const startAt = turn.start.add(samples, now, this.#feed.bufferedMs);
    turn.cancel();
    if (startAt - now < 1) return this.#start(turn);
    turn.cancel = clock.after(startAt - now, () => this.#start(turn));
  }

  #start(turn: Turn): void {
    const { clock, speaker } = this.#options;
    const now = clock.now();
    turn.cancel();
    turn.isPlaying = true;
    this.#startDelayMs = now - turn.beganAt;
    const { maxVoicedShare } = turn.start;
    let missingMs = turn.start.missingMs(now, this.#feed.bufferedMs) - this.#heldBackMs;
    for (const samples of speaker.buffer.takeHeldBack())
      missingMs -= this.#feed.play(samples, turn.turn, missingMs, maxVoicedShare);
  }

  #end(): void {
    const current = this.#current;
    if (current === undefined) return;
    current.start.complete();
    if (!current.isPlaying) this.#start(current);
    this.#feed.endTurn();
    this.#pace.end();
    this.#current = undefined;
  }

  get #heldBackMs(): number {
    return this.#ms(this.#options.speaker.buffer.heldCount);
  }

  #ms(samples: number): number {
    return (samples * 1000) / this.#options.rate;
  }
}

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
    if (
      ranDry &&
      silentMs > (this.#concealment.isInPause ? this.#concealment.bridgeMs : minGapMs)
    ) {
      this.gapsOver20Ms += 1;
      this.#deps.onGap?.(silentMs);
    }
    // Only sound after a faded-out concealment needs a fade-in. A speaker that was silent fades in by itself.
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
