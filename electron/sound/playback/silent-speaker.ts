import { outputRate } from '../../../shared/protocol/protocol-limits.ts';
import type { Clock } from '../../ports/clock.ts';
import type { PlayoutSink } from './playback.ts';
import { PlayoutBuffer } from './playout-buffer.ts';

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
