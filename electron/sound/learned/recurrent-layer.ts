import { applyOnce, place, sigmoid } from './dense-layer.ts';
import type { DenseLayer } from './dense-layer.ts';

/**
 * Cells that remember (gated recurrent units): each mixes what it knew with what is new. Its layers make three numbers for
 * each cell, of the input and of what all cells knew: how much of that counts, how much stays, and what is new.
 */
export class RecurrentLayer {
  readonly state: Float32Array;
  readonly #fromInput: DenseLayer;
  readonly #fromState: DenseLayer;
  readonly #input: Float32Array;
  readonly #known: Float32Array;

  constructor(fromInput: DenseLayer, fromState: DenseLayer) {
    this.#fromInput = fromInput;
    this.#fromState = fromState;
    this.state = new Float32Array(fromState.inputs);
    this.#input = new Float32Array(fromInput.outputs);
    this.#known = new Float32Array(fromState.outputs);
  }

  push(input: Float32Array): void {
    const { state } = this;
    const [now, known] = [this.#input, this.#known];
    applyOnce(this.#fromInput, input, place(now));
    applyOnce(this.#fromState, state, place(known));
    const cells = state.length;
    for (let cell = 0; cell < cells; cell += 1) {
      const counts = sigmoid((now[cell] ?? 0) + (known[cell] ?? 0));
      const stays = sigmoid((now[cells + cell] ?? 0) + (known[cells + cell] ?? 0));
      const news = Math.tanh(
        (now[2 * cells + cell] ?? 0) + counts * (known[2 * cells + cell] ?? 0),
      );
      state[cell] = news + stays * ((state[cell] ?? 0) - news);
    }
  }
}
