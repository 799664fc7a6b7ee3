import { inputRate } from '../../../shared/protocol/protocol-limits.ts';
import { maxRecordingSeconds } from './voice-limits.ts';

/** Sound of the microphone as it comes, up to the longest take. */
export class VoiceRecordingBuffer {
  readonly #full: () => void;
  readonly #samples = new Float32Array(maxRecordingSeconds * inputRate);
  #length = 0;

  /** @param full called once, when nothing more is taken */
  constructor(full: () => void) {
    this.#full = full;
  }

  get seconds(): number {
    return this.#length / inputRate;
  }

  /** 16 kHz mono. */
  push(block: Float32Array): void {
    const room = this.#samples.length - this.#length;
    if (room === 0) return;
    const taken = block.subarray(0, room);
    this.#samples.set(taken, this.#length);
    this.#length += taken.length;
    if (taken.length === room) this.#full();
  }

  samples(): Float32Array {
    return this.#samples.subarray(0, this.#length);
  }
}
