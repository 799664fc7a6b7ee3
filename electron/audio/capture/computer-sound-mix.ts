import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import type { AudioSink } from './capture-pipeline.ts';

/** Sound waits this long before it is mixed, so that blocks that come late leave no hole. */
const startMs = 60;
/**
 * Above this, waiting sound is dropped down to `startMs`, because the computer's clock is never exactly the
 * microphone's.
 */
const maxWaitMs = 240;
/** Gain of the computer's sound while the user speaks, so that the model still understands the user. */
const gainUnderSpeech = 0.25;
/** A change of the volume takes this long, so that it does not click. */
const rampSamples = inputRate / 50;

const samplesPerMs = inputRate / 1000;

/** Mixes what the computer plays into the sound for the model. It buffers at most a quarter of a second. */
export class ComputerSoundMix implements AudioSink {
  readonly #ring = new Float32Array(inputRate);
  #written = 0;
  #read = 0;
  #isFilling = true;
  #gain = 0;
  readonly #volume: () => number;

  constructor(volume: () => number) {
    this.#volume = volume;
  }

  pushAudio(block: Float32Array): void {
    for (let n = 0; n < block.length; n += 1)
      this.#ring[(this.#written + n) % this.#ring.length] = block[n] ?? 0;
    this.#written += block.length;
    if (this.#waiting > maxWaitMs * samplesPerMs)
      this.#read = this.#written - startMs * samplesPerMs;
  }

  /**
   * Returns a copy of the block mixed with the computer's sound, or the block itself while none is ready. Never writes to
   * the block, because a silent one is shared.
   */
  mix(block: Float32Array, userSpeaks: boolean): Float32Array {
    if (this.#isFilling) {
      if (this.#waiting < startMs * samplesPerMs) return block;
      this.#isFilling = false;
    }
    const mixed = new Float32Array(block);
    const count = Math.min(block.length, this.#waiting);
    const target = this.#volume() * (userSpeaks ? gainUnderSpeech : 1);
    const step = (target - this.#gain) / rampSamples;
    for (let n = 0; n < count; n += 1) {
      if (Math.abs(target - this.#gain) > Math.abs(step)) this.#gain += step;
      else this.#gain = target;
      const heard = (this.#ring[(this.#read + n) % this.#ring.length] ?? 0) * this.#gain;
      mixed[n] = Math.max(-1, Math.min(1, (block[n] ?? 0) + heard));
    }
    this.#read += count;
    // The computer's sound is late or has ended. Once enough is waiting, it fades in again.
    if (count < block.length) this.#restartBuffering();
    return mixed;
  }

  clear(): void {
    this.#ring.fill(0);
    this.#read = this.#written;
    this.#restartBuffering();
  }

  get #waiting(): number {
    return this.#written - this.#read;
  }

  #restartBuffering(): void {
    this.#isFilling = true;
    this.#gain = 0;
  }
}
