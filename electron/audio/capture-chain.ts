import { cleanSamples } from './clean-samples.ts';
import type { Played } from './played-sound.ts';
import { SteadyTime } from './steady-time.ts';

/**
 * Takes a captured block and what the loudspeaker played at that time, both at the captured rate
 * and of the same length, and returns as many samples: the place of an echo canceller.
 */
export type CaptureProcessor = (block: Float32Array, reference: Float32Array) => Float32Array;

/** No echo is cancelled. */
export const passThrough: CaptureProcessor = (block) => block;

export interface CaptureChainOptions {
  readonly rate: number;
  readonly reference: Played;
  readonly process: CaptureProcessor;
}

/** From the microphone's ring to the uplink: no bad numbers, and each block with its reference. */
export class CaptureChain {
  readonly #options: CaptureChainOptions;
  #reference = new Float32Array();
  #line: SteadyTime | undefined;
  #position = 0;
  #badSamples = 0;

  constructor(options: CaptureChainOptions) {
    this.#options = options;
  }

  /** Samples that were no numbers and were made silence. */
  get badSamples(): number {
    return this.#badSamples;
  }

  /**
   * Changes the block. `capturedAt` is when its first sample came in, in milliseconds of the clock
   * that the reference goes by. The reference is good until the processor returns.
   */
  push(block: Float32Array, capturedAt: number): Float32Array {
    const { process, reference } = this.#options;
    this.#badSamples += cleanSamples(block);
    if (this.#reference.length !== block.length) this.#reference = new Float32Array(block.length);
    const line = this.#lineAt(capturedAt);
    reference.fill(this.#reference, line.timeOf(this.#position), line.step);
    cleanSamples(this.#reference);
    this.#position += block.length;
    return process(block, this.#reference);
  }

  #lineAt(time: number): SteadyTime {
    if (this.#line?.fits(this.#position, time) === true) this.#line.report(this.#position, time);
    else this.#line = new SteadyTime(this.#options.rate, this.#position, time);
    return this.#line;
  }
}
