import { setTimeout as wait } from 'node:timers/promises';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import type { PlayingProcess } from '../sound/sound-processes.ts';
import { RoomSound } from './room-sound.ts';

/** Queued ahead, so that a busy machine causes no gap. */
const aheadMs = 200;
const everyMs = 20;

/** A user at the virtual microphone: room noise with occasional speech. */
export class Voice {
  readonly #microphone: PlayingProcess;
  readonly #room = new RoomSound();
  readonly #began = performance.now();
  #given = 0;
  #over = false;
  readonly #talks: Promise<void>;

  constructor(microphone: PlayingProcess) {
    this.#microphone = microphone;
    this.#talks = this.#talk();
  }

  /** Speaks; the persona answers after the speech. */
  speak(): void {
    this.#room.speak();
  }

  async end(): Promise<void> {
    this.#over = true;
    await this.#talks;
    this.#microphone.end();
  }

  async #talk(): Promise<void> {
    while (!this.#over) {
      const due = ((performance.now() - this.#began + aheadMs) * inputRate) / 1000;
      const block = this.#room.next(Math.max(0, Math.floor(due) - this.#given));
      this.#given += block.length;
      if (block.length > 0) void this.#microphone.play(block);
      await wait(everyMs);
    }
  }
}
