import { cleanSamples } from '../dsp/clean-samples.ts';
import type { FarEndReference } from './far-end.ts';
import { SmoothedClock } from './smoothed-clock.ts';

/**
 * Takes a captured block and what the loudspeaker played at that time, both at the captured rate
 * and of the same length, and returns as many samples: the place of an echo canceller.
 */
export type EchoCanceller = (block: Float32Array, reference: Float32Array) => Float32Array;

/** No echo is cancelled. */
export const passThrough: EchoCanceller = (block) => block;

export interface CapturePipelineOptions {
  readonly rate: number;
  readonly reference: FarEndReference;
  readonly process: EchoCanceller;
}

/** From the microphone's ring to the uplink: no bad numbers, and each block with its reference. */
export class CapturePipeline {
  readonly #options: CapturePipelineOptions;
  #reference = new Float32Array();
  #line: SmoothedClock | undefined;
  #position = 0;
  #badSamples = 0;

  constructor(options: CapturePipelineOptions) {
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

  #lineAt(time: number): SmoothedClock {
    if (this.#line?.fits(this.#position, time) === true) this.#line.report(this.#position, time);
    else this.#line = new SmoothedClock(this.#options.rate, this.#position, time);
    return this.#line;
  }
}
