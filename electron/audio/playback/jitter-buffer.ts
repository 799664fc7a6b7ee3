import { type Clock, repeatEvery } from '../../../shared/ports/clock.ts';
import type { AnswerStart } from '../../../shared/settings/talking-settings.ts';
import { emitSilence } from '../dsp/samples.ts';
import { gentleStretch, maxStretch, timeStretch } from '../dsp/time-stretch.ts';
import type { Playback, PlaybackOptions, PlayoutStats } from './playback.ts';
import type { PlayoutCut } from './playout-buffer.ts';
import { type ServerPace, ServerPaceTracker } from './server-pace.ts';
import { Concealment, SpeakerFeed } from './speaker-feed.ts';
import type { PlayoutSink } from './speaker.ts';

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

/** A speaker that is further behind has paused; clock drift stays below this. */
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
  /** Number of heard inserted samples that silence on the timeline has made up for. */
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
   * Emits silence where the speaker has paused; inserted samples are not heard on the timeline and count as a pause.
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

  /** Switches to the pace of another server from the next turn on; `learned` is what is known of it. */
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

interface TurnStartOptions {
  readonly rate: number;
  readonly pace: Pick<ServerPaceTracker, 'coverMs' | 'learned' | 'limitMs'>;
  /** Exclusive to this turn until it starts. */
  readonly concealment: Concealment;
  readonly answerStart: AnswerStart;
}

/** The concealable gap is computed once per this much sound, because a server may send sample by sample. */
const updateEveryMs = 20;
/** Minimum extra wait of the smoothest start, beyond what the learned pace needs. */
const smoothestWaitMs = 100;

/** Decides when a turn starts: as soon as its sound, stretched, lasts until more is expected. */
export class TurnStart {
  readonly #options: TurnStartOptions;
  /** Largest stretch of voiced sound, as a share. */
  readonly maxVoicedShare: number;
  #startAt = Infinity;
  #heldSamples = 0;
  /** Length of the held sound after the largest stretch. */
  #stretchedMs = 0;
  /** Length of a gap that could be concealed. */
  #bridgeMs = 0;
  /** Value of `#heldSamples` for which `#bridgeMs` was computed. */
  #bridgedSamples = 0;
  /** Time until which the sound must last. */
  #coverUntil = 0;

  constructor(options: TurnStartOptions) {
    this.#options = options;
    this.maxVoicedShare = options.answerStart === 'smoothest' ? gentleStretch : maxStretch;
    options.concealment.forget();
  }

  /** Adds sound before the start; the speaker still has `bufferedMs` of other sound. Returns the time to start. */
  add(samples: Float32Array, now: number, bufferedMs: number): number {
    this.#heldSamples += samples.length;
    this.#coverUntil = now + this.#coverMs;
    this.#stretchedMs += this.#stretchedLengthMs(samples);
    this.#updateBridge(samples);
    const mustWait = this.missingMs(now, bufferedMs) > this.#stretchedMs;
    const from = mustWait ? this.#coverUntil - this.#bridgedMs - this.#stretchedMs : now;
    this.#startAt = Math.min(this.#startAt, from);
    return this.#startAt;
  }

  /** The turn is complete, so its sound need not last longer. */
  complete(): void {
    this.#coverUntil = 0;
  }

  /** Length of the sound needed from now on, beyond what the speaker has. */
  missingMs(now: number, bufferedMs: number): number {
    return this.#coverUntil - now - bufferedMs;
  }

  get #coverMs(): number {
    const { answerStart, pace } = this.#options;
    const { coverMs, learned, limitMs } = pace;
    if (answerStart === 'balanced') return coverMs;
    if (answerStart === 'soonest') return Math.min(coverMs, learned.typicalMs);
    return Math.min(coverMs + Math.max(smoothestWaitMs, learned.spreadMs), limitMs);
  }

  /**
   * Length of a gap left to concealment, so that the turn starts sooner; shorter if the server's steps are often late.
   */
  get #bridgedMs(): number {
    const { answerStart, pace } = this.#options;
    if (answerStart === 'smoothest') return 0;
    const lateMs = answerStart === 'soonest' ? 0 : pace.learned.spreadMs;
    return Math.max(0, this.#bridgeMs - lateMs);
  }

  #updateBridge(samples: Float32Array): void {
    const { concealment } = this.#options;
    concealment.follow(samples);
    if (this.#ms(this.#heldSamples - this.#bridgedSamples) < updateEveryMs) return;
    this.#bridgedSamples = this.#heldSamples;
    concealment.begin();
    this.#bridgeMs = concealment.bridgeMs;
  }

  /** Stretches the sound to measure its length. */
  #stretchedLengthMs(samples: Float32Array): number {
    const { rate } = this.#options;
    const inserted = timeStretch(samples, Infinity, rate, () => undefined, this.maxVoicedShare);
    return this.#ms(samples.length + inserted);
  }

  #ms(samples: number): number {
    return (samples * 1000) / this.#options.rate;
  }
}

/** −12 dB: quiet enough to speak over, loud enough to follow. */
const duckedGain = 0.25;
const stepMs = 5;
const steps = 8;

/** Lowers the volume within 40 ms and raises it again, in steps that the device smooths. */
export class Ducking {
  readonly #clock: Clock;
  readonly #speaker: Pick<PlayoutSink, 'setDuckGain'>;
  #gain = 1;
  #target = 1;
  #stop: () => void = () => undefined;

  constructor(clock: Clock, speaker: Pick<PlayoutSink, 'setDuckGain'>) {
    this.#clock = clock;
    this.#speaker = speaker;
  }

  /** Reaches the new volume at once while nothing plays. */
  set(isDucked: boolean, isSilent = false): void {
    const target = isDucked ? duckedGain : 1;
    if (target === this.#target && !(isSilent && this.#gain !== target)) return;
    this.#target = target;
    this.#stop();
    if (isSilent) this.#gain = target;
    if (this.#stepGain() !== 'done')
      this.#stop = repeatEvery(this.#clock, stepMs, () => this.#stepGain());
  }

  #stepGain(): 'done' | undefined {
    const step = (1 - duckedGain) / steps;
    const distance = this.#target - this.#gain;
    this.#gain =
      Math.abs(distance) <= step ? this.#target : this.#gain + Math.sign(distance) * step;
    this.#speaker.setDuckGain(this.#gain);
    return this.#gain === this.#target ? 'done' : undefined;
  }
}
