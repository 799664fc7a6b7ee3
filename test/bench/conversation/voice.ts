import { setTimeout as wait } from 'node:timers/promises';
import { inputRate } from '../../../shared/protocol/protocol-limits.ts';
import { seeded } from '../../fakes/seeded.ts';
import type { PlayingProcess } from '../sound/sound-processes.ts';

/** Below what anybody takes for speech, and never twice the same: each chunk can be found again. */
const roomLevel = 0.004;
const speechLevel = 0.3;
const speechMs = 700;
/** As much is always on its way, so that a busy machine leaves no hole. */
const aheadMs = 200;
const everyMs = 20;

/** Somebody at the virtual microphone: the noise of a room, and now and then something said. */
export class Voice {
  readonly #microphone: PlayingProcess;
  readonly #random = seeded(3);
  readonly #began = performance.now();
  #given = 0;
  #loud = 0;
  #over = false;
  readonly #talks: Promise<void>;

  constructor(microphone: PlayingProcess) {
    this.#microphone = microphone;
    this.#talks = this.#talk();
  }

  /** Says something; the persona answers when it is quiet again. */
  speak(): void {
    this.#loud = (speechMs * inputRate) / 1000;
  }

  async end(): Promise<void> {
    this.#over = true;
    await this.#talks;
    this.#microphone.end();
  }

  async #talk(): Promise<void> {
    while (!this.#over) {
      const due = ((performance.now() - this.#began + aheadMs) * inputRate) / 1000;
      const block = new Float32Array(Math.max(0, Math.floor(due) - this.#given));
      for (let n = 0; n < block.length; n += 1) {
        const level = this.#loud > 0 ? speechLevel : roomLevel;
        this.#loud -= 1;
        block[n] = (this.#random() * 2 - 1) * level;
      }
      this.#given += block.length;
      if (block.length > 0) void this.#microphone.play(block);
      await wait(everyMs);
    }
  }
}
