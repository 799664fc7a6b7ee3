import { type Clock, Timer } from '../../shared/ports/clock.ts';
import { outputRate } from '../../shared/protocol/realtime-api.ts';
import type { CaptionPatch } from '../../shared/talk/caption-patch.ts';
import { VoiceDetector } from '../audio/detection/voice-detector.ts';
import { JitterBuffer, type JitterBufferOptions } from '../audio/playback/jitter-buffer.ts';
import { ClockedPlayback, type Playback } from '../audio/playback/playback.ts';
import type { PlayoutSink } from '../audio/playback/speaker.ts';
import { type Cue, type HeardTurn, LiveCaptions } from './captions/live-captions.ts';
import type { ConversationStats, ConversationTape } from './conversation-options.ts';
import { type Delay, PlayoutDelays } from './policies/latency-stats.ts';

interface Deps {
  readonly clock: Clock;
  /** What plays it; without one it is paced by the clock. */
  readonly speaker: PlayoutSink | undefined;
  readonly jitter: Pick<JitterBufferOptions, 'stepMs' | 'pace' | 'starts'>;
  /** A silence within a turn, emitted when it is over. */
  readonly gap: (ms: number) => void;
  /** What has been heard, silence included; good until the call returns. */
  readonly played: (samples: Float32Array) => void;
  readonly caption: (patch: CaptionPatch) => void;
  /** The words of a turn that is over, with their times on the time line of what was played. */
  readonly cue?: ((cue: Cue) => void) | undefined;
  readonly turnHeard: (turn: HeardTurn) => void;
  readonly delay: (delay: Delay) => void;
  readonly tape?: ConversationTape | undefined;
  /** Something about `sounding` or `speaks` may have changed. */
  readonly changed: () => void;
}

/** While something sounds the captions follow it so often; a word lasts some 300 ms. */
const followMs = 40;
/** After a flush the silence is waited for: how long it took is wanted to a few milliseconds. */
const settleMs = 5;
/** A device that is still not quiet by then has gone. */
const giveUpMs = 1000;

/**
 * What of the model's answer reaches the person: its sound, and its words as they are heard. It looks
 * at the playhead only while something sounds. Without a speaker it goes to a file: nobody wants silence
 * there before the model yields, and nobody waits for the rest.
 */
export class AnswerPlayout {
  readonly #deps: Deps;
  readonly #playback: Playback;
  readonly #captions: LiveCaptions;
  readonly #delays: PlayoutDelays;
  readonly #heardTurns: HeardTurns;
  readonly #voice = new VoiceDetector(outputRate);
  #begunAt: number | undefined;
  /** How far the time line has come, in milliseconds. */
  #position = 0;
  /** Thrown away by an interruption that the model has not yielded to yet. */
  #silenced = 0;
  readonly #following: Timer;
  #newestTurn: number | undefined;
  /** When the person interrupted, until it is quiet. */
  #interruptedAt: number | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#following = new Timer(deps.clock);
    const { clock, speaker, jitter, gap, tape } = deps;
    this.#heardTurns = new HeardTurns((turn, samples) => {
      tape?.write?.({ kind: 'heard', turn, samples });
    });
    const heard = (samples: Float32Array): void => {
      this.#voice.push(samples);
      deps.played(samples);
    };
    const options = { rate: outputRate, heard };
    this.#playback =
      speaker === undefined
        ? (tape?.playback?.(options) ?? new ClockedPlayback(options))
        : new JitterBuffer({ ...options, ...jitter, clock, speaker, gap });
    this.#captions = new LiveCaptions({
      patch: deps.caption,
      settled: deps.turnHeard,
      cue: deps.cue,
    });
    this.#delays = new PlayoutDelays(outputRate, deps.delay);
  }

  get sounding(): boolean {
    return !this.#playback.drained;
  }

  /** The voice is heard at the moment, by its level. */
  get speaks(): boolean {
    return this.#voice.speaks;
  }

  get heardSoFar(): readonly HeardTurn[] {
    return this.#captions.heardSoFar;
  }

  /** The time line of what is played begins; once. */
  begin(): void {
    this.#begunAt ??= this.#deps.clock.now();
  }

  text(turn: number, text: string): void {
    this.#captions.text(turn, text);
  }

  audio(turn: number, samples: Float32Array): void {
    this.begin();
    this.#advance();
    const at = this.#deps.clock.now();
    const place = this.#playback.playhead + this.#playback.queued;
    this.#delays.onArrival(place, at);
    this.#heardTurns.begin(turn, place);
    this.#captions.audio(turn, samples);
    if (turn !== this.#newestTurn) this.#silenced = 0;
    this.#playback.write(samples, turn);
    this.#newestTurn = turn;
    this.#interruptedAt = undefined;
    this.#follow(followMs);
    this.#deps.changed();
  }

  turnEnded(turn: number): void {
    this.#playback.turnEnded(turn);
    this.#captions.turnEnded(turn);
    this.#update();
  }

  /** Silences at once; says how many samples will not be heard. `byPerson` measures how long it takes. */
  silence(byPerson: boolean): number {
    this.#advance();
    if (byPerson && this.sounding) this.#interruptedAt = this.#deps.clock.now();
    if (!byPerson) this.#silenced = 0;
    // The device first: what is reckoned afterwards nobody has to hear.
    const dropped = this.#playback.flush(this.#deps.speaker?.flush());
    this.#playback.setDucked(false);
    this.#delays.forget();
    this.#captions.cut((turn) => this.#playback.reachOf(turn));
    this.#update();
    return dropped;
  }

  /** The person interrupts: silence, before the model knows of it. */
  interrupt(): void {
    if (this.#audible) this.#silenced += this.silence(true);
  }

  /** The model yields; what an interruption threw away before counts as well. */
  yielded(): number {
    const before = this.#silenced;
    return before + this.silence(false);
  }

  /** The session is gone: what has come plays out, and an open turn ends where it is. */
  abandon(): void {
    if (this.#newestTurn !== undefined) this.#playback.turnEnded(this.#newestTurn);
    this.#silenced = 0;
    this.#captions.abandon();
    this.#update();
  }

  /** Whoever ends a conversation does not want to hear it out. */
  silenceAtEnd(): void {
    if (this.#audible) this.silence(false);
  }

  /** All is over: a file gets what has come at once, to its end. */
  finish(): void {
    if (this.#audible) return;
    this.#captions.abandon();
    this.#moveTo(this.#position + Math.ceil((this.#playback.queued * 1000) / outputRate));
    this.#update();
  }

  get stats(): Pick<ConversationStats, 'playout' | 'pace'> {
    return { playout: this.#playback.stats(), pace: this.#playback.pace() };
  }

  setDucked(ducked: boolean): void {
    this.#playback.setDucked(ducked);
  }

  stop(): void {
    this.#following.stop();
  }

  #advance(): void {
    if (this.#begunAt === undefined) return;
    this.#moveTo(this.#deps.clock.now() - this.#begunAt);
  }

  #moveTo(milliseconds: number): void {
    this.#position = Math.max(this.#position, milliseconds);
    this.#playback.advanceTo(this.#position);
  }

  #update(): void {
    this.#following.stop();
    this.#advance();
    const { playhead } = this.#playback;
    this.#delays.heard(playhead, this.#deps.clock.now());
    this.#captions.at(playhead, this.#position);
    this.#heardTurns.at(playhead, this.#deps.clock.now(), this.sounding);
    if (this.sounding) this.#follow(this.#silencing ? settleMs : followMs);
    else this.#quiet();
    this.#deps.changed();
  }

  get #audible(): boolean {
    return this.#deps.speaker !== undefined || this.#deps.tape?.playback !== undefined;
  }

  get #silencing(): boolean {
    if (this.#interruptedAt === undefined) return false;
    return this.#deps.clock.now() - this.#interruptedAt < giveUpMs;
  }

  #quiet(): void {
    this.#voice.stop();
    if (this.#interruptedAt === undefined) return;
    const ms = this.#deps.clock.now() - this.#interruptedAt;
    this.#interruptedAt = undefined;
    this.#deps.delay({ kind: 'interruptToSilence', ms });
  }

  #follow(ms: number): void {
    this.#following.setOnce(ms, () => {
      try {
        this.#update();
      } catch (error) {
        // The next look must come: the rest of the answer still sounds.
        if (this.sounding) this.#follow(followMs);
        throw error;
      }
    });
  }
}

interface BegunTurn {
  readonly turn: number;
  /** Where it begins, in samples of the whole answer. */
  readonly from: number;
}

/** A tape needs no more: what was heard between two of them is known from the sound. */
const everyMs = 100;

/** Of the samples that were heard of the whole answer, how many that are of which turn. */
class HeardTurns {
  readonly #tell: (turn: number, samples: number) => void;
  readonly #turns: BegunTurn[] = [];
  #told: { readonly playhead: number; readonly at: number } = { playhead: 0, at: -Infinity };

  constructor(tell: (turn: number, samples: number) => void) {
    this.#tell = tell;
  }

  /** What comes from now on is of this turn, and is heard after so many samples. */
  begin(turn: number, from: number): void {
    if (this.#turns.at(-1)?.turn !== turn) this.#turns.push({ turn, from });
  }

  /** Told now and then while it sounds, and where it stops. */
  at(playhead: number, now: number, sounding: boolean): void {
    if (playhead === this.#told.playhead) return;
    if (sounding && now - this.#told.at < everyMs) return;
    this.#told = { playhead, at: now };
    const heard = this.#turns.findLast(({ from }) => from < playhead);
    if (heard === undefined) return;
    this.#turns.splice(0, this.#turns.indexOf(heard));
    this.#tell(heard.turn, playhead - heard.from);
  }
}
