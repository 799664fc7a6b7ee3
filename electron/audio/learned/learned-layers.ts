/** A weight matrix by rows, and a bias for each row. */
export interface DenseLayer {
  readonly inputs: number;
  readonly outputs: number;
  /** Float32 numbers, stored wider because each conversion costs as much as the product. */
  readonly weights: Float64Array;
  readonly biases: Float32Array;
}

const maxInputs = 512;
/** Indices of the inputs that are not zero. After a ReLU, three of four inputs are zero. */
const indices = new Uint16Array(maxInputs);
const values = new Float64Array(maxInputs);

/** Applies the layer to one input vector, four rows at a time, so that each input is read once for four products. */
export function applyToOne(
  layer: DenseLayer,
  from: Float32Array,
  to: Float32Array,
  offset = 0,
): void {
  const { inputs, outputs, weights, biases } = layer;
  const count = gather(from, inputs);
  let row = 0;
  for (; row + 4 <= outputs; row += 4) {
    const first = row * inputs;
    let a = biases[row] ?? 0;
    let b = biases[row + 1] ?? 0;
    let c = biases[row + 2] ?? 0;
    let d = biases[row + 3] ?? 0;
    for (let n = 0; n < count; n += 1) {
      const value = values[n] ?? 0;
      const at = first + (indices[n] ?? 0);
      a += value * (weights[at] ?? 0);
      b += value * (weights[at + inputs] ?? 0);
      c += value * (weights[at + 2 * inputs] ?? 0);
      d += value * (weights[at + 3 * inputs] ?? 0);
    }
    to[offset + row] = a;
    to[offset + row + 1] = b;
    to[offset + row + 2] = c;
    to[offset + row + 3] = d;
  }
  for (; row < outputs; row += 1) {
    let sum = biases[row] ?? 0;
    for (let n = 0; n < inputs; n += 1) sum += (from[n] ?? 0) * (weights[row * inputs + n] ?? 0);
    to[offset + row] = sum;
  }
}

function gather(from: Float32Array, inputs: number): number {
  let count = 0;
  for (let n = 0; n < inputs; n += 1) {
    const value = from[n] ?? 0;
    if (value === 0) continue;
    indices[count] = n;
    values[count] = value;
    count += 1;
  }
  return count;
}

/** Applies the layer to four overlapping input vectors, `stride` apart. The number of outputs must be even. */
export function applyToFour(
  { inputs, outputs, weights, biases }: DenseLayer,
  from: Float32Array,
  stride: number,
  to: Float32Array,
  offset = 0,
): void {
  for (let row = 0; row < outputs; row += 2) {
    const first = row * inputs;
    let a = biases[row] ?? 0;
    let b = a;
    let c = a;
    let d = a;
    let e = biases[row + 1] ?? 0;
    let f = e;
    let g = e;
    let h = e;
    for (let n = 0; n < inputs; n += 1) {
      const firstWeight = weights[first + n] ?? 0;
      const secondWeight = weights[first + inputs + n] ?? 0;
      const p = from[n] ?? 0;
      const q = from[stride + n] ?? 0;
      const r = from[2 * stride + n] ?? 0;
      const s = from[3 * stride + n] ?? 0;
      a += firstWeight * p;
      b += firstWeight * q;
      c += firstWeight * r;
      d += firstWeight * s;
      e += secondWeight * p;
      f += secondWeight * q;
      g += secondWeight * r;
      h += secondWeight * s;
    }
    const at = offset + row;
    to[at] = a;
    to[at + outputs] = b;
    to[at + 2 * outputs] = c;
    to[at + 3 * outputs] = d;
    to[at + 1] = e;
    to[at + outputs + 1] = f;
    to[at + 2 * outputs + 1] = g;
    to[at + 3 * outputs + 1] = h;
  }
}

/** ReLU, in place. */
export function rectify(numbers: Float32Array): void {
  for (let n = 0; n < numbers.length; n += 1) if ((numbers[n] ?? 0) < 0) numbers[n] = 0;
}

export function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}

/** Gated recurrent units: dense layers of input and state give reset gate, update gate and candidate. */
export class GruLayer {
  readonly state: Float32Array;
  readonly #fromInput: DenseLayer;
  readonly #fromState: DenseLayer;
  readonly #inputPart: Float32Array;
  readonly #statePart: Float32Array;

  constructor(fromInput: DenseLayer, fromState: DenseLayer) {
    this.#fromInput = fromInput;
    this.#fromState = fromState;
    this.state = new Float32Array(fromState.inputs);
    this.#inputPart = new Float32Array(fromInput.outputs);
    this.#statePart = new Float32Array(fromState.outputs);
  }

  push(input: Float32Array): void {
    const { state } = this;
    const [inputPart, statePart] = [this.#inputPart, this.#statePart];
    applyToOne(this.#fromInput, input, inputPart);
    applyToOne(this.#fromState, state, statePart);
    const cells = state.length;
    for (let cell = 0; cell < cells; cell += 1) {
      const resetGate = sigmoid((inputPart[cell] ?? 0) + (statePart[cell] ?? 0));
      const updateGate = sigmoid((inputPart[cells + cell] ?? 0) + (statePart[cells + cell] ?? 0));
      const candidate = Math.tanh(
        (inputPart[2 * cells + cell] ?? 0) + resetGate * (statePart[2 * cells + cell] ?? 0),
      );
      state[cell] = candidate + updateGate * ((state[cell] ?? 0) - candidate);
    }
  }
}

/** A layer as the training scripts write it: two characters per number, first the weights by rows, then the biases. */
export interface LearnedLayer {
  readonly inputs: number;
  readonly outputs: number;
  readonly scale: number;
  readonly biasScale: number;
  readonly encoded: string;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Zero is the middle of the two-character range. */
const zero = alphabet.length ** 2 / 2;
const digits = new Uint8Array(128);
for (let digit = 0; digit < alphabet.length; digit += 1) digits[alphabet.charCodeAt(digit)] = digit;

export function readLayers<Name extends string>(
  weights: Readonly<Record<Name, LearnedLayer>>,
): Readonly<Record<Name, DenseLayer>> {
  const layers: Partial<Record<Name, DenseLayer>> = {};
  for (const name in weights) layers[name] = readLayer(weights[name]);
  return layers as Readonly<Record<Name, DenseLayer>>;
}

function readLayer(layer: LearnedLayer): DenseLayer {
  const { inputs, outputs, scale, biasScale, encoded } = layer;
  const count = inputs * outputs;
  const number = (at: number): number =>
    (digits[encoded.charCodeAt(2 * at)] ?? 0) * alphabet.length +
    (digits[encoded.charCodeAt(2 * at + 1)] ?? 0) -
    zero;
  return {
    inputs,
    outputs,
    weights: Float64Array.from({ length: count }, (_, at) => Math.fround(number(at) * scale)),
    biases: Float32Array.from({ length: outputs }, (_, at) => number(count + at) * biasScale),
  };
}
