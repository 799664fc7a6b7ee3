import { outputRate } from '../../shared/protocol/limits.ts';
import type { CaptionPatch } from '../../shared/talk/captions.ts';
import type { Clock } from '../ports/clock.ts';
import { openAnswerPlayback } from './answer-playback.ts';
import type { AnswerPlayback, PlaybackWays } from './answer-playback.ts';
import type { ConversationFigures } from './conversation.ts';
import { SoundDelays } from './delays.ts';
import type { Delay } from './delays.ts';
import { LiveCaptions } from './live-captions.ts';
import type { HeardTurn } from './live-captions.ts';
import { VoiceLevel } from './voice-level.ts';

interface Needs {
  readonly clock: Clock;
  readonly ways: Pick<PlaybackWays, 'speaker' | 'stepMs' | 'pace'>;
  /** A silence within a turn, told when it is over. */
  readonly gap: (ms: number) => void;
  /** What has been heard, silence included; good until the call returns. */
  readonly played: (samples: Float32Array) => void;
  readonly caption: (patch: CaptionPatch) => void;
  readonly turnHeard: (turn: HeardTurn) => void;
  readonly delay: (delay: Delay) => void;
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
 * at the playhead only while something sounds.
 */
export class Answer {
  readonly #needs: Needs;
  readonly #playback: AnswerPlayback;
  readonly #captions: LiveCaptions;
  readonly #delays: SoundDelays;
  readonly #voice = new VoiceLevel(outputRate);
  #begunAt: number | undefined;
  #stop: (() => void) | undefined;
  #newestTurn: number | undefined;
  /** When the person interrupted, until it is quiet. */
  #interruptedAt: number | undefined;

  constructor(needs: Needs) {
    this.#needs = needs;
    const { clock, ways, gap } = needs;
    this.#playback = openAnswerPlayback({ clock, ...ways, gap }, (samples) => {
      this.#voice.push(samples);
      needs.played(samples);
    });
    this.#captions = new LiveCaptions({ patch: needs.caption, settled: needs.turnHeard });
    this.#delays = new SoundDelays(outputRate, needs.delay);
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
    this.#begunAt ??= this.#needs.clock.now();
  }

  text(turn: number, text: string): void {
    this.#captions.text(turn, text);
  }

  audio(turn: number, samples: Float32Array): void {
    this.begin();
    this.#advance();
    const at = this.#needs.clock.now();
    this.#delays.came(this.#playback.playhead + this.#playback.queued, at);
    this.#captions.audio(turn, samples);
    this.#playback.write(samples, turn);
    this.#newestTurn = turn;
    this.#interruptedAt = undefined;
    this.#follow(followMs);
    this.#needs.changed();
  }

  turnEnded(turn: number): void {
    this.#playback.turnEnded?.(turn);
    this.#captions.turnEnded(turn);
    this.#look();
  }

  /** Silences at once; says how many samples will not be heard. `byPerson` measures how long it takes. */
  silence(byPerson: boolean): number {
    this.#advance();
    if (byPerson && this.sounding) this.#interruptedAt = this.#needs.clock.now();
    const thrown = this.#playback.flush();
    this.#playback.setDipped?.(false);
    this.#delays.forget();
    this.#captions.cut((turn) => this.#playback.reachOf(turn));
    this.#look();
    return thrown;
  }

  /** The session is gone: what has come plays out, and an open turn ends where it is. */
  abandon(): void {
    if (this.#newestTurn !== undefined) this.#playback.turnEnded?.(this.#newestTurn);
    this.#captions.abandon();
    this.#look();
  }

  get figures(): Pick<ConversationFigures, 'playout' | 'pace'> {
    return { playout: this.#playback.figures?.(), pace: this.#playback.pace?.() };
  }

  setDipped(dipped: boolean): void {
    this.#playback.setDipped?.(dipped);
  }

  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  #advance(): void {
    if (this.#begunAt === undefined) return;
    this.#playback.advanceTo(this.#needs.clock.now() - this.#begunAt);
  }

  #look(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#advance();
    const { playhead } = this.#playback;
    this.#delays.heard(playhead, this.#needs.clock.now());
    this.#captions.at(playhead);
    if (this.sounding) this.#follow(this.#silencing ? settleMs : followMs);
    else this.#quiet();
    this.#needs.changed();
  }

  get #silencing(): boolean {
    if (this.#interruptedAt === undefined) return false;
    return this.#needs.clock.now() - this.#interruptedAt < giveUpMs;
  }

  #quiet(): void {
    this.#voice.stop();
    if (this.#interruptedAt === undefined) return;
    const ms = this.#needs.clock.now() - this.#interruptedAt;
    this.#interruptedAt = undefined;
    this.#needs.delay({ kind: 'interruptToSilence', ms });
  }

  #follow(ms: number): void {
    this.#stop ??= this.#needs.clock.after(ms, () => {
      this.#stop = undefined;
      this.#look();
    });
  }
}
