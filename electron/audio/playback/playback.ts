import type { Clock } from '../../../shared/ports/clock.ts';
import { outputRate } from '../../../shared/protocol/realtime-api.ts';
import { emitSilence } from '../dsp/samples.ts';
import { PlayoutBuffer, type PlayoutCut } from './playout-buffer.ts';
import type { ServerPace } from './server-pace.ts';
import type { PlayoutSink } from './speaker.ts';

export interface Playback {
  /** Queues sound of an answer, and owns the samples from then on. */
  readonly write: (samples: Float32Array, turn: number) => void;
  /** Call after a turn's last sample; the queue then plays out without waiting for more. */
  readonly turnEnded: (turn: number) => void;
  /**
   * Drops unheard sound and returns how many samples of answers it dropped. `cut` is the result if the caller has
   * flushed the speaker already.
   */
  readonly flush: (cut?: PlayoutCut) => number;
  readonly setDucked: (ducked: boolean) => void;
  /** Advances the timeline to this many milliseconds since its start; ignores earlier times. */
  readonly advanceTo: (milliseconds: number) => void;
  /** Samples of answers that have yet to be heard. */
  readonly queued: number;
  readonly isDrained: boolean;
  /** Samples of answers heard so far, without silence; captions follow it. */
  readonly playhead: number;
  /** Samples of a turn that were heard or are queued. After a flush, the position of the cut. */
  readonly samplesOf: (turn: number) => number;
  readonly stats: () => PlayoutStats | undefined;
  /** The server's current pace, to pass to the next talk. */
  readonly pace: () => ServerPace | undefined;
}

export interface PlaybackOptions {
  readonly rate: number;
  /** Receives the sound heard since the last call, silence included; valid only during the call. */
  readonly onHeard: (samples: Float32Array) => void;
}

/** Names follow NetEq, the jitter buffer of WebRTC. Samples and events count from the start of the talk. */
export interface PlayoutStats {
  /** Length of the sound that waits to be heard, held back or at the speaker. */
  readonly bufferMs: number;
  /** Length of the sound that should still wait when the server's next step arrives. */
  readonly targetMs: number;
  readonly concealedSamples: number;
  readonly concealmentEvents: number;
  readonly insertedSamples: number;
  /** Audible silences within a turn; concealed gaps do not count. */
  readonly gapsOver20Ms: number;
  /** How long the latest turn's first sound was held back. */
  readonly startDelayMs: number | undefined;
}

/** Playback without a speaker. Subclasses decide what counts as heard as the timeline advances. */
export abstract class TimelinePlayback implements Playback {
  protected readonly options: PlaybackOptions;
  protected readonly buffer = new PlayoutBuffer();
  protected position = 0;

  constructor(options: PlaybackOptions) {
    this.options = options;
    this.buffer.listen(options.onHeard);
  }

  get queued(): number {
    return this.buffer.queued;
  }

  get isDrained(): boolean {
    return this.buffer.queued === 0;
  }

  get playhead(): number {
    return this.buffer.playhead;
  }

  abstract flush(): number;
  abstract advanceTo(milliseconds: number): void;

  write(samples: Float32Array, turn: number): void {
    this.buffer.write(samples, turn);
  }

  turnEnded(): void {
    // Only a jitter buffer waits for more sound.
  }

  setDucked(): void {
    // Volume has no effect on the heard samples.
  }

  samplesOf(turn: number): number {
    return this.buffer.samplesOf(turn);
  }

  stats(): undefined {
    return undefined;
  }

  pace(): undefined {
    return undefined;
  }

  protected targetAt(milliseconds: number): number {
    return Math.max(this.position, Math.round((milliseconds * this.options.rate) / 1000));
  }

  protected passSilence(samples: number): void {
    emitSilence(samples, this.options.onHeard);
    this.position += samples;
  }

  protected passSound(samples: number): void {
    const until = this.buffer.heard + samples;
    this.buffer.send(samples);
    this.buffer.playedTo(until);
    this.buffer.heardTo(until);
    this.position += samples;
  }
}

/** Plays without a speaker, for files and replays. Sound is heard as the session's timeline advances, and never held back. */
export class ClockedPlayback extends TimelinePlayback {
  override flush(): number {
    return this.buffer.cut().answer;
  }

  override advanceTo(milliseconds: number): void {
    const target = this.targetAt(milliseconds);
    this.passSound(Math.min(target - this.position, this.buffer.waiting));
    this.passSilence(target - this.position);
  }
}

/** Takes the place of a speaker and consumes sound in real time, so a talk without a device runs as with one. */
export class SilentSpeaker implements PlayoutSink {
  readonly buffer = new PlayoutBuffer();
  readonly #clock: Pick<Clock, 'now'>;
  #followedAt = 0;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  send(): void {
    this.follow();
    this.buffer.send(this.buffer.waiting);
  }

  follow(): void {
    const now = this.#clock.now();
    const passed = (Math.max(0, now - this.#followedAt) * outputRate) / 1000;
    this.#followedAt = now;
    this.buffer.playedTo(Math.round(this.buffer.played + passed));
    this.buffer.heardTo(this.buffer.played);
  }

  flush(): ReturnType<PlayoutSink['flush']> {
    this.follow();
    return { ...this.buffer.cut(), heard: this.buffer.played };
  }

  setDuckGain(): void {
    // Without a speaker there is no volume to lower.
  }
}
