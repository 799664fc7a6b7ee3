import {
  applyFourTimes,
  applyOnce,
  applyTwice,
  place,
  rectify,
  sigmoid,
} from '../learned/dense-layer.ts';
import { readLayers } from '../learned/learned-layer.ts';
import { voiceWeights } from './voice-weights.ts';
import { chunkFrames, spectrumBins } from './chunk-spectra.ts';

export const voiceLayers = readLayers(voiceWeights);
const layers = voiceLayers;
const firstOutputs = layers.spectra.outputs;
const cells = layers.cells.outputs / 4;
/** What a chunk tells: how likely a voice is, and more of its kind. */
export const chunkFindings = layers.findings.outputs;

/**
 * A small network that hears 32 ms at a time: layers that narrow four spectra to a point, and cells that remember. It
 * is Silero VAD v5 with fewer channels, learned further (docs/decisions/0044-voice-detector.md).
 */
export class VoiceNetwork {
  /** What is made of the last chunk. */
  readonly findings = new Float32Array(chunkFindings);
  /** The rows before the first spectrum and after the last stay zero. */
  readonly #spectra = new Float32Array((chunkFrames + 2) * firstOutputs);
  readonly #pairs = new Float32Array(2 * layers.pairs.outputs);
  readonly #whole = new Float32Array(layers.whole.outputs);
  /** What a chunk is like, and then what the cells said of the chunk before. */
  readonly #cellInput = new Float32Array(2 * cells);
  readonly #chunk = this.#cellInput.subarray(0, cells);
  readonly #said = this.#cellInput.subarray(cells);
  readonly #memory = new Float32Array(cells);
  readonly #gates = new Float32Array(4 * cells);
  readonly #heard = new Float32Array(cells);
  readonly #inner = this.#spectra.subarray(firstOutputs, (chunkFrames + 1) * firstOutputs);

  /** Four spectra, one after the other, with a row of zeros before and after them. */
  push(spectra: Float32Array): void {
    applyFourTimes(layers.spectra, spectra, spectrumBins, place(this.#spectra, firstOutputs));
    rectify(this.#inner);
    applyTwice(layers.pairs, this.#spectra, 2 * firstOutputs, place(this.#pairs));
    rectify(this.#pairs);
    applyOnce(layers.whole, this.#pairs, place(this.#whole));
    rectify(this.#whole);
    applyOnce(layers.chunk, this.#whole, place(this.#chunk));
    rectify(this.#chunk);
    applyOnce(layers.cells, this.#cellInput, place(this.#gates));
    this.#remember();
    applyOnce(layers.findings, this.#heard, place(this.findings));
  }

  reset(): void {
    this.#said.fill(0);
    this.#memory.fill(0);
    this.findings.fill(0);
  }

  /** Each cell keeps a part of what it knew, takes a part of what is new, and says a part of that. */
  #remember(): void {
    const gates = this.#gates;
    for (let cell = 0; cell < cells; cell += 1) {
      const take = sigmoid(gates[cell] ?? 0);
      const keep = sigmoid(gates[cells + cell] ?? 0);
      const news = Math.tanh(gates[2 * cells + cell] ?? 0);
      const tell = sigmoid(gates[3 * cells + cell] ?? 0);
      const known = keep * (this.#memory[cell] ?? 0) + take * news;
      const said = tell * Math.tanh(known);
      this.#memory[cell] = known;
      this.#said[cell] = said;
      this.#heard[cell] = Math.max(0, said);
    }
  }
}
