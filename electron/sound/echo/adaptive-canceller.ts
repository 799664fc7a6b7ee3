import { echoBlockSamples } from '../capture/echo-canceller.ts';
import type { EchoCanceller, EchoFinding } from '../capture/echo-canceller.ts';
import { EchoEvidence } from './echo-evidence.ts';
import { EchoFilter } from './echo-filter.ts';
import { EchoSuppressor } from './echo-suppressor.ts';

/** So long after the last sound of the speaker nothing of it can be heard any more, in blocks. */
const quietBlocks = 60;
/** An answer's first so many blocks, into which nobody is heard: of a room that is not known yet all of it would come back. */
const blindBlocks = 120;
/** The same where the room is suddenly another one. */
const blindAgainBlocks = 30;
/** So long after a sound its echo comes, in blocks. */
const echoBlocks = 30;
/** By how much it is made softer meanwhile. */
const blindGain = 0.005;
/** What is softer is no sound of the speaker. */
const audible = 1e-4;

/**
 * Parley's own echo canceller: a filter that learns the room, and a suppressor for what that leaves.
 * Gives what came 10 ms later; costs little while the speaker is silent.
 */
export class AdaptiveCanceller implements EchoCanceller {
  readonly aheadMs = 20;
  readonly #filter = new EchoFilter();
  readonly #suppressor = new EchoSuppressor();
  readonly #evidence = new EchoEvidence();
  readonly #rest = new Float32Array(echoBlockSamples);
  #quiet = Infinity;
  #blind = blindBlocks;
  #gain = 1;

  get finding(): EchoFinding {
    return this.#evidence.finding;
  }

  process(frame: Float32Array, farEnd: Float32Array): Float32Array {
    this.#quiet = isAudible(farEnd) ? 0 : this.#quiet + 1;
    if (this.#quiet > quietBlocks) return this.#suppressor.pass(frame);
    const echo = this.#filter.expect(farEnd);
    for (let n = 0; n < frame.length; n += 1) this.#rest[n] = (frame[n] ?? 0) - (echo[n] ?? 0);
    this.#filter.learn(this.#rest);
    this.#evidence.follow(frame, this.#rest, this.#quiet === 0);
    if (this.finding === 'none') return this.#suppressor.pass(frame);
    if (this.#quiet === 0) this.#blind = Math.max(0, this.#blind - 1);
    const clean = this.#suppressor.process(this.#rest, echo, this.#filter.doubt);
    if (this.#suppressor.isElsewhere) {
      this.#filter.forgetPath();
      this.#blind = blindAgainBlocks;
    }
    this.#fade(clean, this.#blind > 0 && this.#quiet < echoBlocks ? blindGain : 1);
    return clean;
  }

  /** From one gain to another within a block. */
  #fade(samples: Float32Array, gain: number): void {
    const from = this.#gain;
    this.#gain = gain;
    if (from === 1 && gain === 1) return;
    for (let n = 0; n < samples.length; n += 1)
      samples[n] = (samples[n] ?? 0) * (from + ((gain - from) * (n + 1)) / samples.length);
  }

  reset(): void {
    this.#filter.reset();
    this.#suppressor.reset();
    this.#quiet = Infinity;
  }

  close(): void {
    // It is memory only.
  }
}

function isAudible(samples: Float32Array): boolean {
  for (let n = 0; n < samples.length; n += 1) if (Math.abs(samples[n] ?? 0) > audible) return true;
  return false;
}
