import type { Clock } from '../../../shared/ports/clock.ts';
import { outputRate } from '../../../shared/protocol/realtime-api.ts';
import { emitSilence } from '../dsp/samples.ts';
import { PlayoutBuffer, type PlayoutCut } from './playout-buffer.ts';
import type { ServerPace } from './server-pace.ts';
import type { PlayoutSink } from './speaker.ts';

/** Playback of an answer, and how far it has been heard: the playhead. */
export interface Playback {
  /** Takes the samples over as they are; the caller does not change them afterwards. */
  readonly write: (samples: Float32Array, turn: number) => void;
  /** Where the turn's last sample has come; what is queued plays out without waiting for more. */
  readonly turnEnded: (turn: number) => void;
  /**
   * Throws away what can still be kept from being heard, and says how many samples that were. `cut` is what a speaker that
   * was silenced already has thrown away.
   */
  readonly flush: (cut?: PlayoutCut) => number;
  /** Lowers the volume while the person makes a short sound over the answer, and raises it again. */
  readonly setDucked: (ducked: boolean) => void;
  /** Moves on to so many milliseconds since the beginning; never back. */
  readonly advanceTo: (milliseconds: number) => void;
  /** Samples of the answer that wait to be heard. */
  readonly queued: number;
  readonly drained: boolean;
  /** Samples of the answer that were heard, without the silence: the playhead of the captions. */
  readonly playhead: number;
  /** Samples of one turn that were heard or wait for it; after a flush, where it was cut. */
  readonly reachOf: (turn: number) => number;
  /** Undefined where no speaker plays. */
  readonly stats: () => PlayoutStats | undefined;
  /** The server's pace as known now, to be handed in the next time. */
  readonly pace: () => ServerPace | undefined;
}

export interface PlaybackOptions {
  readonly rate: number;
  /** Takes the sound heard since the last call, silence included; only good until the call returns. */
  readonly heard: (samples: Float32Array) => void;
}

/** In the terms of NetEq, which is what people compare with. Samples and events since the beginning. */
export interface PlayoutStats {
  /** The sound that waits to be heard now, held back or at the speaker. */
  readonly bufferMs: number;
  /** The sound that should be left when the next step comes. */
  readonly targetMs: number;
  /** Made up, because nothing had come. */
  readonly concealedSamples: number;
  readonly concealmentEvents: number;
  /** Put in between to slow down. */
  readonly insertedSamples: number;
  /** Silences within a turn; what was concealed is none. */
  readonly gapsOver20Ms: number;
  /** How long the first sound of the latest turn was held back. */
  readonly startDelayMs: number | undefined;
}

/** A loudspeaker without one: whoever extends it says what is heard as its time line goes on. */
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
    // A time line waits for nothing: it ends where its sound does.
  }

  setDucked(): void {
    // Lowered or not: what was said stays what was said.
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

/** Plays to nobody what a person would have heard, on the session's own time line. */
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

/** Plays at the pace of a clock what nobody hears: a talk with it goes as one with a speaker would. */
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
    // It is as silent as it can be.
  }
}
