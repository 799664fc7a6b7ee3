import type { AnswerStart } from '../../../shared/sound/answer-start.ts';
import type { Clock } from '../../ports/clock.ts';
import { Concealment } from './concealment.ts';
import { Ducking } from './ducking.ts';
import { ServerPaceTracker } from './server-pace.ts';
import type { ServerPace } from './server-pace.ts';
import type { Playback, PlaybackOptions, PlayoutSink, PlayoutStats } from './playback.ts';
import { emitSilence } from '../dsp/samples.ts';
import { SpeakerFeed } from './speaker-feed.ts';
import { gentleStretch, maxStretch, timeStretch } from '../dsp/time-stretch.ts';

/** What a jitter buffer plays through, with which step, and what was learned of the server. */
export interface JitterBufferOptions extends PlaybackOptions {
  readonly clock: Clock;
  readonly speaker: PlayoutSink;
  /** What a step is expected to take before any was seen: the session's chunk. */
  readonly stepMs: number;
  readonly pace?: ServerPace | undefined;
  /** What the person wants, asked at each beginning; where it is left out, balanced. */
  readonly starts?: (() => AnswerStart | undefined) | undefined;
  /** A silence within a turn, emitted when it is over. */
  readonly gap?: ((ms: number) => void) | undefined;
}

/** Two clocks drift apart by less than this; a speaker that falls back further has truly paused. */
const toleranceMs = 100;

/** What could be concealed behind a sound is asked again for so much more of it: a server may send it sample by sample. */
const bridgeEveryMs = 20;
/** Who wants it smooth waits for steps that are later by at least so much than any was. */
const smoothMs = 100;

/** A turn that more sound may come of. */
interface Turn {
  readonly turn: number;
  readonly beganAt: number;
  readonly starts: AnswerStart;
  started: boolean;
  startAt: number;
  /** How long what has come can be made. */
  reachMs: number;
  /** So much of a gap behind it may be concealed, if it comes to that… */
  bridgeMs: number;
  /** …as it was when so much had come. */
  bridgeAskedMs: number;
  /** Until when the sound that has come should last. */
  lastsUntil: number;
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
  /** Of a turn that has not started: what would conceal a gap behind it. */
  readonly #bridge: Concealment;
  #current: Turn | undefined;
  /** All that is left to be heard fades out. */
  #silenced = false;
  #startDelayMs: number | undefined;
  #position = 0;
  /** Of what was put in between, as much as has been made up for in the time line. */
  #madeUp = 0;

  constructor(options: JitterBufferOptions) {
    const { clock, speaker, stepMs, pace } = options;
    this.#options = options;
    this.#feed = new SpeakerFeed(options);
    this.#pace = new ServerPaceTracker(stepMs, pace);
    this.#ducking = new Ducking(clock, speaker);
    this.#bridge = new Concealment(options.rate);
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

  flush(): number {
    this.#current?.cancel();
    this.#current = undefined;
    this.#pace.end();
    const { answer } = this.#options.speaker.flush();
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
    this.#bridge.forget();
    const begun: Turn = {
      turn,
      beganAt,
      starts: this.#options.starts?.() ?? 'balanced',
      started: false,
      startAt: Infinity,
      reachMs: 0,
      bridgeMs: 0,
      bridgeAskedMs: 0,
      lastsUntil: 0,
      cancel: () => undefined,
    };
    this.#current = begun;
    return begun;
  }

  #hold(turn: Turn, samples: Float32Array): void {
    const { clock, speaker } = this.#options;
    const now = clock.now();
    speaker.buffer.hold(samples, turn.turn);
    turn.lastsUntil = now + this.#coverMs(turn);
    turn.reachMs += this.#reachMs(samples, mostStretch(turn));
    this.#askBridge(turn, samples);
    const mustWait = this.#lackMs(turn, now) > turn.reachMs;
    const fromNow = mustWait ? turn.lastsUntil - this.#bridgeMs(turn) - turn.reachMs : now;
    turn.startAt = Math.min(turn.startAt, fromNow);
    turn.cancel();
    if (turn.startAt - now < 1) {
      this.#start(turn);
      return;
    }
    turn.cancel = clock.after(turn.startAt - now, () => {
      this.#start(turn);
    });
  }

  #start(turn: Turn): void {
    const { clock, speaker } = this.#options;
    const now = clock.now();
    turn.cancel();
    turn.started = true;
    this.#startDelayMs = now - turn.beganAt;
    let lack = this.#lackMs(turn, now) - this.#heldMs;
    for (const samples of speaker.buffer.takeHeld())
      lack -= this.#feed.play(samples, turn.turn, lack, mostStretch(turn));
  }

  #end(): void {
    const current = this.#current;
    if (current === undefined) return;
    // It is all there: nothing has to last any longer than it does.
    current.lastsUntil = 0;
    if (!current.started) this.#start(current);
    this.#feed.endTurn();
    this.#pace.end();
    this.#current = undefined;
  }

  /** How long the turn's sound would have to be made, to last as long as it should. */
  #lackMs(turn: Turn, now: number): number {
    return turn.lastsUntil - now - this.#feed.leftMs;
  }

  #coverMs({ starts }: Turn): number {
    const { coverMs, learned, limitMs } = this.#pace;
    if (starts === 'balanced') return coverMs;
    if (starts === 'soonest') return Math.min(coverMs, learned.typicalMs);
    return Math.min(coverMs + Math.max(smoothMs, learned.spreadMs), limitMs);
  }

  #askBridge(turn: Turn, samples: Float32Array): void {
    this.#bridge.follow(samples);
    const heldMs = this.#heldMs;
    if (heldMs - turn.bridgeAskedMs < bridgeEveryMs) return;
    turn.bridgeAskedMs = heldMs;
    this.#bridge.begin();
    turn.bridgeMs = this.#bridge.bridgeMs;
  }

  /** Only who would have to wait counts on what conceals a gap, and the less the more steps are late by. */
  #bridgeMs({ starts, bridgeMs: most }: Turn): number {
    if (starts === 'smoothest') return 0;
    const late = starts === 'soonest' ? 0 : this.#pace.learned.spreadMs;
    return Math.max(0, most - late);
  }

  /** How long a sound can be made, found out by doing so. */
  #reachMs(samples: Float32Array, most: number): number {
    const { rate } = this.#options;
    return this.#ms(samples.length + timeStretch(samples, Infinity, rate, () => undefined, most));
  }

  get #heldMs(): number {
    return this.#ms(this.#options.speaker.buffer.held);
  }

  #ms(samples: number): number {
    return (samples * 1000) / this.#options.rate;
  }
}

/** Of the sound that has to last until more comes. */
function mostStretch({ starts }: Turn): number {
  return starts === 'smoothest' ? gentleStretch : maxStretch;
}
