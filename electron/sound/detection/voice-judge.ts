import { applyOnce, place, rectify, sigmoid } from '../learned/dense-layer.ts';
import { levelFindings, StepLevels } from './step-levels.ts';
import { chunkFindings, voiceLayers as layers } from './voice-network.ts';

/** How much the network's own word is worth, and how it is scaled for the others to be weighed with it. */
const ownShare = 0.5;
const ownScale = 0.3;
/** Before the first chunk nobody speaks. */
const beforeFirst = -1;

/** Every 10 ms: what the network says of the last chunk, weighed with how loud it is now. */
export class VoiceJudge {
  readonly #levels = new StepLevels();
  readonly #inputs = new Float32Array(chunkFindings + levelFindings);
  readonly #between = new Float32Array(layers.together.outputs);
  readonly #sum = new Float32Array(1);

  constructor() {
    this.reset();
  }

  /** What the network makes of a chunk; it counts until the next one is over. */
  hear(findings: Float32Array): void {
    this.#inputs[0] = ownScale * (findings[0] ?? 0);
    for (let n = 1; n < chunkFindings; n += 1) this.#inputs[n] = Math.tanh(findings[n] ?? 0);
  }

  likelihood(step: Float32Array): number {
    this.#levels.push(step);
    this.#inputs.set(this.#levels.values, chunkFindings);
    applyOnce(layers.together, this.#inputs, place(this.#between));
    rectify(this.#between);
    applyOnce(layers.voice, this.#between, place(this.#sum));
    return sigmoid((this.#sum[0] ?? 0) + (ownShare / ownScale) * (this.#inputs[0] ?? 0));
  }

  reset(): void {
    this.#levels.reset();
    this.#inputs.fill(0);
    this.#inputs[0] = beforeFirst;
  }
}
