import { readFileSync } from 'node:fs';
import { emptyHalfSpectrum, powerSpectrum, RealFft } from '../../../electron/audio/dsp/real-fft.ts';
import { readOnnxTensors } from './onnx-tensors.ts';

/** Samples per chunk: 32 ms. The network also gets the 4 ms before. */
export const sileroChunk = 512;
const before = 64;
const after = 64;
const windowSamples = 256;
const hop = 128;
const bins = 129;
const cells = 128;
const prefix = 'If_0_then_branch__Inline_0__';

interface Layer {
  readonly inputs: number;
  readonly outputs: number;
  readonly stride: number;
  readonly weights: Float32Array;
  readonly added: Float32Array;
}

/** Silero VAD v5, computed from the weights of its ONNX file, so that the bench needs no 45 MB runtime. */
export class Silero {
  readonly #window: Float32Array;
  readonly #windowed = new Float32Array(windowSamples);
  readonly #fft = new RealFft(windowSamples);
  readonly #spectrum = emptyHalfSpectrum(windowSamples);
  readonly #layers: readonly Layer[];
  readonly #fromInput: Float32Array;
  readonly #fromState: Float32Array;
  readonly #added: readonly Float32Array[];
  readonly #last: { readonly weights: Float32Array; readonly added: Float32Array };
  readonly #heard = new Float32Array(before + sileroChunk + after);
  readonly #state = new Float32Array(cells);
  readonly #memory = new Float32Array(cells);

  constructor(path: string) {
    const tensors = readOnnxTensors(readFileSync(path));
    const tensor = (name: string): Float32Array => {
      const found = tensors.get(prefix + name);
      if (found === undefined)
        throw new Error(`${path} is not a Silero VAD v5 model: it lacks ${name}.`);
      return found;
    };
    // The basis is a windowed Fourier transform, whose first row is the window.
    this.#window = tensor('stft.forward_basis_buffer').slice(0, windowSamples);
    const sizes = [bins, 128, 64, 64, 128];
    this.#layers = [1, 2, 2, 1].map((stride, at) => ({
      inputs: sizes[at] ?? 0,
      outputs: sizes[at + 1] ?? 0,
      stride,
      weights: byTap(tensor(`encoder.${at}.reparam_conv.weight`), sizes[at] ?? 1),
      added: tensor(`encoder.${at}.reparam_conv.bias`),
    }));
    this.#fromInput = tensor('decoder.rnn.weight_ih');
    this.#fromState = tensor('decoder.rnn.weight_hh');
    this.#added = [tensor('decoder.rnn.bias_ih'), tensor('decoder.rnn.bias_hh')];
    this.#last = {
      weights: tensor('decoder.decoder.2.weight'),
      added: tensor('decoder.decoder.2.bias'),
    };
  }

  /** Returns the likelihood of speech in this chunk, from 0 to 1. */
  push(chunk: Float32Array): number {
    const heard = this.#heard;
    heard.copyWithin(0, sileroChunk, sileroChunk + before);
    heard.set(chunk, before);
    // Reflection padding at the end.
    const end = before + sileroChunk;
    for (let n = 0; n < after; n += 1) heard[end + n] = heard[end - 2 - n] ?? 0;
    let columns = this.#magnitudes();
    for (const layer of this.#layers) columns = convolve(layer, columns);
    this.#remember(columns[0] ?? new Float32Array(cells));
    let sum = this.#last.added[0] ?? 0;
    for (let n = 0; n < cells; n += 1)
      sum += Math.max(0, this.#state[n] ?? 0) * (this.#last.weights[n] ?? 0);
    return sigmoid(sum);
  }

  /** The spectrogram, one column per window. */
  #magnitudes(): readonly Float32Array[] {
    const columns: Float32Array[] = [];
    for (let from = 0; from + windowSamples <= this.#heard.length; from += hop) {
      for (let n = 0; n < windowSamples; n += 1)
        this.#windowed[n] = (this.#heard[from + n] ?? 0) * (this.#window[n] ?? 0);
      this.#fft.forward(this.#windowed, this.#spectrum);
      const column = new Float32Array(bins);
      powerSpectrum(this.#spectrum, column);
      columns.push(column.map(Math.sqrt));
    }
    return columns;
  }

  /** An LSTM step, with gates in the order input, forget, cell, output. */
  #remember(input: Float32Array): void {
    const gates = new Float32Array(4 * cells);
    for (let gate = 0; gate < gates.length; gate += 1) {
      let sum = (this.#added[0]?.[gate] ?? 0) + (this.#added[1]?.[gate] ?? 0);
      for (let n = 0; n < cells; n += 1) {
        sum += (input[n] ?? 0) * (this.#fromInput[gate * cells + n] ?? 0);
        sum += (this.#state[n] ?? 0) * (this.#fromState[gate * cells + n] ?? 0);
      }
      gates[gate] = sum;
    }
    for (let n = 0; n < cells; n += 1) {
      const [take, keep, fresh, give] = [0, 1, 2, 3].map((at) => gates[at * cells + n] ?? 0);
      const kept = sigmoid(keep ?? 0) * (this.#memory[n] ?? 0);
      this.#memory[n] = kept + sigmoid(take ?? 0) * Math.tanh(fresh ?? 0);
      this.#state[n] = sigmoid(give ?? 0) * Math.tanh(this.#memory[n] ?? 0);
    }
  }
}

/** Reorders weights so that the convolution reads them in sequence. */
function byTap(weights: Float32Array, inputs: number): Float32Array {
  return weights.map((_, at) => {
    const [n, tap] = [at % inputs, Math.floor(at / inputs) % 3];
    const out = Math.floor(at / (3 * inputs));
    return weights[(out * inputs + n) * 3 + tap] ?? 0;
  });
}

/** A convolution over three columns with zero padding, then ReLU. */
function convolve(
  { inputs, outputs, stride, weights, added }: Layer,
  columns: readonly Float32Array[],
): readonly Float32Array[] {
  const made: Float32Array[] = [];
  for (let middle = 0; middle < columns.length; middle += stride) {
    const column = new Float32Array(outputs);
    for (let out = 0; out < outputs; out += 1) {
      let sum = added[out] ?? 0;
      for (let tap = 0; tap < 3; tap += 1) {
        const from = columns[middle + tap - 1];
        if (from === undefined) continue;
        for (let n = 0; n < inputs; n += 1)
          sum += (from[n] ?? 0) * (weights[(out * 3 + tap) * inputs + n] ?? 0);
      }
      column[out] = Math.max(0, sum);
    }
    made.push(column);
  }
  return made;
}

const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value));
