import { type Clock, Timer } from '../../shared/ports/clock.ts';
import { outputRate } from '../../shared/protocol/realtime-api.ts';
import type { CaptionPatch } from '../../shared/talk/talk-view.ts';
import { VoiceDetector } from '../audio/detection/voice-detector.ts';
import { JitterBuffer, type JitterBufferOptions } from '../audio/playback/jitter-buffer.ts';
import { ClockedPlayback, type Playback } from '../audio/playback/playback.ts';
import type { PlayoutSink } from '../audio/playback/speaker.ts';
import { type Cue, type HeardTurn, LiveCaptions } from './captions/live-captions.ts';
import type { ConversationStats, ConversationTape } from './conversation-options.ts';
import { type Delay, PlayoutDelays } from './policies/latency-stats.ts';

interface Deps {
  readonly clock: Clock;
  /** Undefined if the clock paces the answer instead of a speaker. */
  readonly speaker: PlayoutSink | undefined;
  readonly jitter: Pick<JitterBufferOptions, 'stepMs' | 'pace' | 'answerStart'>;
  /** Reports each silence within a turn, once sound follows it. */
  readonly onGap: (ms: number) => void;
  /** Sound that was heard, silence included; valid until the call returns. */
  readonly onPlayed: (samples: Float32Array) => void;
  readonly onCaption: (patch: CaptionPatch, isInterruption: boolean) => void;
  /** Words of a finished turn, with the times at which they were played. */
  readonly onCue?: ((cue: Cue) => void) | undefined;
  readonly onTurnHeard: (turn: HeardTurn) => void;
  readonly onDelay: (delay: Delay) => void;
  readonly tape?: ConversationTape | undefined;
  /** `isSounding` or `isSpeaking` may have changed. */
  readonly onChange: () => void;
}

/** Interval of caption updates while sound plays; a word lasts about 300 ms. */
const captionIntervalMs = 40;
/** Interval after an interruption, so that the time to silence is measured to a few milliseconds. */
const silencePollMs = 5;
/** How long to poll fast. A device that still plays after that is polled at the caption interval. */
const fastPollMs = 1000;

/** Plays the model's answer and captions its words as they are heard. Without a speaker, the clock paces the answer. */
export class AnswerPlayout {
  readonly #deps: Deps;
  readonly #playback: Playback;
  readonly #captions: LiveCaptions;
  readonly #delays: PlayoutDelays;
  readonly #playheadReporter: PlayheadReporter;
  readonly #voice = new VoiceDetector(outputRate);
  #begunAt: number | undefined;
  /** Milliseconds since `begin` up to which the answer was played. */
  #playedMs = 0;
  /** Number of samples that interruptions discarded before the model yielded. */
  #discardedSamples = 0;
  readonly #updateTimer: Timer;
  #newestTurn: number | undefined;
  /** When the user interrupted; undefined once the speaker is silent or new sound arrives. */
  #interruptedAt: number | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#updateTimer = new Timer(deps.clock);
    const { clock, speaker, jitter, onGap, tape } = deps;
    this.#playheadReporter = new PlayheadReporter((turn, samples) => {
      tape?.write?.({ kind: 'heard', turn, samples });
    });
    const onHeard = (samples: Float32Array): void => {
      this.#voice.push(samples);
      deps.onPlayed(samples);
    };
    const options = { rate: outputRate, onHeard };
    this.#playback =
      speaker === undefined
        ? (tape?.playback?.(options) ?? new ClockedPlayback(options))
        : new JitterBuffer({ ...options, ...jitter, clock, speaker, onGap });
    this.#captions = new LiveCaptions({
      onPatch: deps.onCaption,
      onSettled: deps.onTurnHeard,
      onCue: deps.onCue,
    });
    this.#delays = new PlayoutDelays(outputRate, deps.onDelay);
  }

  get isSounding(): boolean {
    return !this.#playback.isDrained;
  }

  /** Whether the answer's voice is audible now, judged by its level. */
  get isSpeaking(): boolean {
    return this.#voice.isSpeaking;
  }

  get heardSoFar(): readonly HeardTurn[] {
    return this.#captions.heardSoFar;
  }

  /** Starts the time line of what is played; later calls do nothing. */
  begin(): void {
    this.#begunAt ??= this.#deps.clock.now();
  }

  addText(turn: number, text: string): void {
    this.#captions.addText(turn, text);
  }

  addAudio(turn: number, samples: Float32Array): void {
    this.begin();
    this.#advance();
    const at = this.#deps.clock.now();
    const position = this.#playback.playhead + this.#playback.queued;
    this.#delays.onArrival(position, at);
    this.#playheadReporter.begin(turn, position);
    this.#captions.addAudio(turn, samples);
    if (turn !== this.#newestTurn) this.#discardedSamples = 0;
    this.#playback.write(samples, turn);
    this.#newestTurn = turn;
    this.#interruptedAt = undefined;
    this.#scheduleUpdate(captionIntervalMs);
    this.#deps.onChange();
  }

  onTurnEnd(turn: number): void {
    this.#playback.turnEnded(turn);
    this.#captions.onTurnEnd(turn);
    this.#update();
  }

  /** The user interrupts: silences at once, measures the delay, and returns how many samples are discarded. */
  silenceForUser(): number {
    this.#advance();
    if (this.isSounding) this.#interruptedAt = this.#deps.clock.now();
    return this.#silence(true);
  }

  #silence(isInterruption: boolean): number {
    this.#advance();
    // Flushes the device first, so that the user hears nothing while the captions are cut.
    const dropped = this.#playback.flush(this.#deps.speaker?.flush());
    this.#playback.setDucked(false);
    this.#delays.forget();
    this.#captions.cut((turn) => this.#playback.samplesOf(turn), isInterruption);
    this.#update();
    return dropped;
  }

  /**
   * The user interrupts a live session: silences a speaker before the model yields, and counts the discarded samples for
   * `onModelYielded`. Without a speaker, the answer continues until then.
   */
  interrupt(): void {
    if (this.#audible) this.#discardedSamples += this.silenceForUser();
  }

  /** The model yields. Returns the discarded samples, those of earlier interruptions included. */
  onModelYielded(): number {
    const before = this.#discardedSamples;
    this.#discardedSamples = 0;
    return before + this.#silence(true);
  }

  /** The session is gone: received sound plays out, and an open turn ends with it. */
  abandon(): void {
    if (this.#newestTurn !== undefined) this.#playback.turnEnded(this.#newestTurn);
    this.#discardedSamples = 0;
    this.#captions.abandon();
    this.#update();
  }

  /** The user ended the conversation: its speaker falls silent at once. */
  silenceAtEnd(): void {
    if (!this.#audible) return;
    this.#discardedSamples = 0;
    this.#silence(false);
  }

  /** The talk ended. Without a speaker, a file gets all received sound at once. */
  finish(): void {
    if (this.#audible) return;
    this.#captions.abandon();
    this.#moveTo(this.#playedMs + Math.ceil((this.#playback.queued * 1000) / outputRate));
    this.#update();
  }

  get stats(): Pick<ConversationStats, 'playout' | 'pace'> {
    return { playout: this.#playback.stats(), pace: this.#playback.pace() };
  }

  setDucked(ducked: boolean): void {
    this.#playback.setDucked(ducked);
  }

  stop(): void {
    this.#updateTimer.stop();
  }

  #advance(): void {
    if (this.#begunAt === undefined) return;
    this.#moveTo(this.#deps.clock.now() - this.#begunAt);
  }

  #moveTo(milliseconds: number): void {
    this.#playedMs = Math.max(this.#playedMs, milliseconds);
    this.#playback.advanceTo(this.#playedMs);
  }

  #update(): void {
    this.#updateTimer.stop();
    this.#advance();
    const { playhead } = this.#playback;
    this.#delays.onPlayhead(playhead, this.#deps.clock.now());
    this.#captions.update(playhead, this.#playedMs);
    this.#playheadReporter.advanceTo(playhead, this.#deps.clock.now(), this.isSounding);
    if (this.isSounding) this.#scheduleUpdate(this.#silencing ? silencePollMs : captionIntervalMs);
    else this.#onSilence();
    this.#deps.onChange();
  }

  get #audible(): boolean {
    return this.#deps.speaker !== undefined || this.#deps.tape?.playback !== undefined;
  }

  get #silencing(): boolean {
    if (this.#interruptedAt === undefined) return false;
    return this.#deps.clock.now() - this.#interruptedAt < fastPollMs;
  }

  #onSilence(): void {
    this.#voice.reset();
    if (this.#interruptedAt === undefined) return;
    const ms = this.#deps.clock.now() - this.#interruptedAt;
    this.#interruptedAt = undefined;
    this.#deps.onDelay({ kind: 'interruptToSilence', ms });
  }

  #scheduleUpdate(ms: number): void {
    this.#updateTimer.setIfIdle(ms, () => {
      try {
        this.#update();
      } catch (error) {
        // The next update must run, because the rest of the answer still sounds.
        if (this.isSounding) this.#scheduleUpdate(captionIntervalMs);
        throw error;
      }
    });
  }
}

interface TurnStart {
  readonly turn: number;
  /** Start of the turn, in samples of the whole answer. */
  readonly from: number;
}

/** Interval of `heard` events on a tape. Between two of them a replay computes the playhead from the clock. */
const tapeIntervalMs = 100;

/** Reports the playhead for a tape, as samples heard of the current turn. */
class PlayheadReporter {
  readonly #report: (turn: number, samples: number) => void;
  readonly #turns: TurnStart[] = [];
  #lastReport: { readonly playhead: number; readonly at: number } = { playhead: 0, at: -Infinity };

  constructor(report: (turn: number, samples: number) => void) {
    this.#report = report;
  }

  /** Sound written from now on belongs to this turn, which begins at the sample `from` of the whole answer. */
  begin(turn: number, from: number): void {
    if (this.#turns.at(-1)?.turn !== turn) this.#turns.push({ turn, from });
  }

  /** Reports the playhead at intervals while sound plays, and where it stops. */
  advanceTo(playhead: number, now: number, sounding: boolean): void {
    if (playhead === this.#lastReport.playhead) return;
    if (sounding && now - this.#lastReport.at < tapeIntervalMs) return;
    this.#lastReport = { playhead, at: now };
    const heard = this.#turns.findLast(({ from }) => from < playhead);
    if (heard === undefined) return;
    this.#turns.splice(0, this.#turns.indexOf(heard));
    this.#report(heard.turn, playhead - heard.from);
  }
}
