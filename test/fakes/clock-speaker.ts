import { PlayoutBuffer } from '../../electron/audio/playback/playout-buffer.ts';
import type { PlayoutSink } from '../../electron/audio/playback/speaker.ts';
import type { Clock } from '../../shared/ports/clock.ts';

const samplesPerMs = 24;

/** A fake speaker that plays as a clock advances, and falls silent at once when it is flushed. */
export class ClockSpeaker implements PlayoutSink {
  readonly buffer = new PlayoutBuffer();
  readonly gains: number[] = [];
  readonly #clock: Clock;
  #updatedAt = 0;
  /** Whether the device is gone. Queued sound then does not play. */
  lost = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  send(): void {
    this.follow();
    this.buffer.send(this.buffer.waiting);
  }

  follow(): void {
    const now = this.#clock.now();
    const passed = this.lost ? 0 : Math.max(0, now - this.#updatedAt) * samplesPerMs;
    this.#updatedAt = now;
    this.buffer.playedTo(Math.round(this.buffer.played + passed));
    this.buffer.heardTo(this.buffer.played);
  }

  flush(): ReturnType<PlayoutSink['flush']> {
    this.follow();
    return { ...this.buffer.cut(), heard: this.buffer.played };
  }

  queued(): number {
    this.follow();
    return this.buffer.waiting;
  }

  heard(): number {
    this.follow();
    return this.buffer.heard;
  }

  setDuckGain(gain: number): void {
    this.gains.push(gain);
  }
}
