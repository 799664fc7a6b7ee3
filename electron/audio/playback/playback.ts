import type { Clock } from '../../../shared/ports/clock.ts';
import { outputRate } from '../../../shared/protocol/realtime-api.ts';
import { emitSilence } from '../dsp/samples.ts';
import { PlayoutBuffer, type PlayoutCut } from './playout-buffer.ts';
import type { ServerPace } from './server-pace.ts';
import type { PlayoutSink } from './speaker.ts';

export interface Playback {
  /** Takes ownership of the samples. */
  readonly write: (samples: Float32Array, turn: number) => void;
  /** Call at a turn's last sample; the queue then plays out without waiting for more. */
  readonly turnEnded: (turn: number) => void;
  /** Drops unheard sound and returns the number of answer samples. `cut` is the result of a speaker already flushed. */
  readonly flush: (cut?: PlayoutCut) => number;
  readonly setDucked: (ducked: boolean) => void;
  /** Advances the timeline to this many milliseconds since its start; ignores earlier times. */
  readonly advanceTo: (milliseconds: number) => void;
  /** Answer samples that have yet to be heard. */
  readonly queued: number;
  readonly drained: boolean;
  /** Answer samples heard so far, without silence; captions follow it. */
  readonly playhead: number;
  /** Samples of a turn that were heard or are queued. After a flush, the position of the cut. */
  readonly reachOf: (turn: number) => number;
  readonly stats: () => PlayoutStats | undefined;
  /** The server's current pace, to pass to the next session. */
  readonly pace: () => ServerPace | undefined;
}

export interface PlaybackOptions {
  readonly rate: number;
  /** Receives the sound heard since the last call, silence included; valid only during the call. */
  readonly heard: (samples: Float32Array) => void;
}

/** Names follow NetEq. Counts of samples and events since the start. */
export interface PlayoutStats {
  /** Sound that waits to be heard, held back or at the speaker. */
  readonly bufferMs: number;
  /** Sound that should be left when the next step arrives. */
  readonly targetMs: number;
  readonly concealedSamples: number;
  readonly concealmentEvents: number;
  readonly insertedSamples: number;
  /** Audible silences within a turn; concealed gaps do not count. */
  readonly gapsOver20Ms: number;
  /** How long the latest turn's first sound was held back. */
  readonly startDelayMs: number | undefined;
}

/** Playback without a speaker; subclasses decide what is heard as the timeline advances. */
export abstract class TimelinePlayback implements Playback {
  protected readonly options: PlaybackOptions;
  protected readonly buffer = new PlayoutBuffer();
  protected position = 0;

  constructor(options: PlaybackOptions) {
    this.options = options;
    this.buffer.listen(options.heard);
  }

  get queued(): number {
    return this.buffer.queued;
  }

  get drained(): boolean {
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

  reachOf(turn: number): number {
    return this.buffer.reachOf(turn);
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

  protected silence(samples: number): void {
    emitSilence(samples, this.options.heard);
    this.position += samples;
  }

  protected sound(samples: number): void {
    const until = this.buffer.heard + samples;
    this.buffer.send(samples);
    this.buffer.playedTo(until);
    this.buffer.heardTo(until);
    this.position += samples;
  }
}

/** Plays on the session's own timeline without a speaker, for tests and replays. */
export class ClockedPlayback extends TimelinePlayback {
  override flush(): number {
    return this.buffer.cut().answer;
  }

  override advanceTo(milliseconds: number): void {
    const target = this.targetAt(milliseconds);
    this.sound(Math.min(target - this.position, this.buffer.waiting));
    this.silence(target - this.position);
  }
}

/** Consumes sound in real time without a device, so a talk runs as with a speaker. */
export class SilentSpeaker implements PlayoutSink {
  readonly buffer = new PlayoutBuffer();
  readonly #clock: Pick<Clock, 'now'>;
  #at = 0;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  send(): void {
    this.follow();
    this.buffer.send(this.buffer.waiting);
  }

  follow(): void {
    const now = this.#clock.now();
    const passed = (Math.max(0, now - this.#at) * outputRate) / 1000;
    this.#at = now;
    this.buffer.playedTo(Math.round(this.buffer.played + passed));
    this.buffer.heardTo(this.buffer.played);
  }

  flush(): ReturnType<PlayoutSink['flush']> {
    this.follow();
    return { ...this.buffer.cut(), heard: this.buffer.played };
  }

  setDuckGain(): void {
    // There is no volume.
  }
}
