/** A weight matrix by rows, and a bias for each row. */
export interface DenseLayer {
  readonly inputs: number;
  readonly outputs: number;
  /** Float32 numbers, stored wider because each conversion costs as much as the product. */
  readonly weights: Float64Array;
  readonly added: Float32Array;
}

/** The nonzero inputs and their indices: three of four inputs of a chunk are zero. */
const mostInputs = 512;
const places = new Uint16Array(mostInputs);
const values = new Float64Array(mostInputs);

/** Applies the layer to one input. Four rows at a time, so that each input is read once for them. */
export function applyOnce(
  layer: DenseLayer,
  from: Float32Array,
  to: Float32Array,
  place = 0,
): void {
  const { inputs, outputs, weights, added } = layer;
  const count = gather(from, inputs);
  let row = 0;
  for (; row + 4 <= outputs; row += 4) {
    const first = row * inputs;
    let a = added[row] ?? 0;
    let b = added[row + 1] ?? 0;
    let c = added[row + 2] ?? 0;
    let d = added[row + 3] ?? 0;
    for (let n = 0; n < count; n += 1) {
      const value = values[n] ?? 0;
      const at = first + (places[n] ?? 0);
      a += value * (weights[at] ?? 0);
      b += value * (weights[at + inputs] ?? 0);
      c += value * (weights[at + 2 * inputs] ?? 0);
      d += value * (weights[at + 3 * inputs] ?? 0);
    }
    to[place + row] = a;
    to[place + row + 1] = b;
    to[place + row + 2] = c;
    to[place + row + 3] = d;
  }
  for (; row < outputs; row += 1) {
    let sum = added[row] ?? 0;
    for (let n = 0; n < inputs; n += 1) sum += (from[n] ?? 0) * (weights[row * inputs + n] ?? 0);
    to[place + row] = sum;
  }
}

function gather(from: Float32Array, inputs: number): number {
  let count = 0;
  for (let n = 0; n < inputs; n += 1) {
    const value = from[n] ?? 0;
    if (value === 0) continue;
    places[count] = n;
    values[count] = value;
    count += 1;
  }
  return count;
}

/** Applies the layer to four overlapping inputs, `stride` apart. The number of outputs must be even. */
export function applyFourTimes(
  { inputs, outputs, weights, added }: DenseLayer,
  from: Float32Array,
  stride: number,
  to: Float32Array,
  place = 0,
): void {
  for (let row = 0; row < outputs; row += 2) {
    const first = row * inputs;
    let a = added[row] ?? 0;
    let b = a;
    let c = a;
    let d = a;
    let e = added[row + 1] ?? 0;
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
    const at = place + row;
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
    applyOnce(this.#fromInput, input, now);
    applyOnce(this.#fromState, state, known);
    const cells = state.length;
    for (let cell = 0; cell < cells; cell += 1) {
      const resetGate = sigmoid((now[cell] ?? 0) + (known[cell] ?? 0));
      const updateGate = sigmoid((now[cells + cell] ?? 0) + (known[cells + cell] ?? 0));
      const candidate = Math.tanh(
        (now[2 * cells + cell] ?? 0) + resetGate * (known[2 * cells + cell] ?? 0),
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
  readonly addedScale: number;
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
  const { inputs, outputs, scale, addedScale, encoded } = layer;
  const count = inputs * outputs;
  const number = (at: number): number =>
    (digits[encoded.charCodeAt(2 * at)] ?? 0) * alphabet.length +
    (digits[encoded.charCodeAt(2 * at + 1)] ?? 0) -
    zero;
  return {
    inputs,
    outputs,
    weights: Float64Array.from({ length: count }, (_, at) => Math.fround(number(at) * scale)),
    added: Float32Array.from({ length: outputs }, (_, at) => number(count + at) * addedScale),
  };
}
