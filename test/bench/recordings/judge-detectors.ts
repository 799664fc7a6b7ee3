import { readFileSync } from 'node:fs';
import { VoiceModel } from '../../../electron/audio/detection/voice-model.ts';
import { levelDb } from '../../../electron/audio/dsp/loudness.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { seeded } from '../../fakes/seeded.ts';
import { areaUnderRoc } from '../../fakes/spoken-scene.ts';
import { step, withNoise, type NoiseClass, type Recordings } from './read-recordings.ts';
import { emptyHalfSpectrum, powerSpectrum, RealFft } from '../../../electron/audio/dsp/real-fft.ts';

/** Takes steps of 10 ms in order, and returns the current likelihood of speech, or the level in dB. */
type Detect = (step: Float32Array) => number;

export interface Detector {
  readonly name: string;
  readonly open: () => Detect;
  /** Likelihood above which a step counts as speech; undefined if the detector returns a level. */
  readonly threshold?: number | undefined;
}

/** A detector's results: shares and ranks in percent, times in milliseconds. */
export interface DetectorStats {
  readonly name: string;
  /** Percent of pairs of a speech and a noise step that it ranks correctly, at 20, 10, 5 and 0 dB above the noise. */
  readonly ranked: Readonly<Record<NoiseClass, readonly number[]>>;
  readonly rankedQuiet: number;
  readonly rankedMean: number;
  /** Percent of noise-only steps that it takes for speech. */
  readonly noiseAlone: Readonly<Partial<Record<NoiseClass, number>>>;
  readonly onset: { readonly median: number; readonly p95: number; readonly missed: number };
  readonly percentOfCore: number;
}

export const snrs = [20, 10, 5, 0] as const;
const stepMs = (1000 * step) / inputRate;

/** The product's detector and those to compare with. */
export function detectors(sileroFile: string | undefined): readonly Detector[] {
  const own: Detector = {
    name: 'Parley',
    // The product's threshold, in voice-detector.ts.
    threshold: 0.7,
    open: () => {
      const model = new VoiceModel();
      return (part) => {
        model.push(part);
        return model.likelihood;
      };
    },
  };
  const level: Detector = { name: 'level', open: () => (part) => levelDb(part) };
  if (sileroFile === undefined) return [own, level];
  const silero: Detector = { name: 'Silero v5', threshold: 0.5, open: () => inChunks(sileroFile) };
  return [own, silero, level];
}

/** Silero judges a chunk after its end. */
function inChunks(file: string): Detect {
  const silero = new Silero(file);
  const chunk = new Float32Array(sileroChunk);
  let filled = 0;
  let likelihood = 0;
  return (part) => {
    for (const sample of part) {
      chunk[filled] = sample;
      filled += 1;
      if (filled < sileroChunk) continue;
      filled = 0;
      likelihood = silero.push(chunk);
    }
    return likelihood;
  };
}

export function judgeDetector(detector: Detector, { clips, noises }: Recordings): DetectorStats {
  const before = process.cpuUsage();
  let samples = 0;
  const run = (sound: Float32Array): readonly number[] => {
    samples += sound.length;
    const detect = detector.open();
    const count = Math.floor(sound.length / step);
    return Array.from({ length: count }, (_, at) =>
      detect(sound.subarray(at * step, (at + 1) * step)),
    );
  };
  const ranking = (make: (clip: Recordings['clips'][number]) => Float32Array): number => {
    const said: number[] = [];
    const speaks: boolean[] = [];
    for (const clip of clips) {
      const scores = run(make(clip));
      for (const [at, is] of clip.speaks.entries()) {
        const score = scores[at];
        if (is === undefined || score === undefined) continue;
        said.push(score);
        speaks.push(is);
      }
    }
    return 100 * areaUnderRoc(said, speaks);
  };
  const rankedIn = (kind: NoiseClass): readonly number[] => {
    // A fixed seed gives every detector the same noises.
    const random = seeded(3);
    return snrs.map((snrDb) =>
      ranking((clip) => {
        const noise = noises[kind][Math.floor(random() * noises[kind].length)];
        if (noise === undefined) throw new Error(`Unknown kind of noise: ${kind}.`);
        return withNoise(clip, noise, Math.floor(random() * noise.length), snrDb);
      }),
    );
  };
  const ranked = {
    animals: rankedIn('animals'),
    things: rankedIn('things'),
    music: rankedIn('music'),
    babble: rankedIn('babble'),
  };
  const all = Object.values(ranked).flat();
  const rankedQuiet = ranking(({ sound }) => sound);
  const { threshold } = detector;
  const stats = {
    name: detector.name,
    ranked,
    rankedQuiet,
    rankedMean: all.reduce((sum, one) => sum + one, 0) / all.length,
    noiseAlone: threshold === undefined ? {} : aloneOver(threshold, run, noises),
    onset: onsets(threshold, run, clips),
  };
  const { user, system } = process.cpuUsage(before);
  return { ...stats, percentOfCore: (user + system) / 1e4 / (samples / inputRate) };
}

type Run = (sound: Float32Array) => readonly number[];

function aloneOver(
  threshold: number,
  run: Run,
  noises: Recordings['noises'],
): DetectorStats['noiseAlone'] {
  return Object.fromEntries(
    (['animals', 'things', 'music'] as const).map((kind) => {
      const scores = noises[kind].flatMap(run);
      const over = scores.filter((score) => score > threshold).length;
      return [kind, (100 * over) / scores.length];
    }),
  );
}

/** Delay from the first speech step to its detection, without noise. */
function onsets(
  threshold: number | undefined,
  run: Run,
  clips: Recordings['clips'],
): DetectorStats['onset'] {
  if (threshold === undefined) return { median: NaN, p95: NaN, missed: 0 };
  const delays = clips.map(({ sound, speaks }) => {
    const found = run(sound).findIndex((score) => score > threshold);
    return found === -1 ? Infinity : (found + 1 - speaks.indexOf(true)) * stepMs;
  });
  const sorted = delays.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? NaN;
  const missed = delays.filter((delay) => delay === Infinity).length;
  return { median: at(0.5), p95: at(0.95), missed };
}

/** Samples per chunk: 32 ms. The network also gets the 4 ms before. */
const sileroChunk = 512;
const contextSamples = 64;
const paddingSamples = 64;
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
  readonly bias: Float32Array;
}

/** Silero VAD v5, computed from the weights of its ONNX file, so that the bench needs no 45 MB runtime. */
class Silero {
  readonly #window: Float32Array;
  readonly #windowed = new Float32Array(windowSamples);
  readonly #fft = new RealFft(windowSamples);
  readonly #spectrum = emptyHalfSpectrum(windowSamples);
  readonly #layers: readonly Layer[];
  readonly #fromInput: Float32Array;
  readonly #fromState: Float32Array;
  readonly #biases: readonly Float32Array[];
  readonly #last: { readonly weights: Float32Array; readonly bias: Float32Array };
  readonly #input = new Float32Array(contextSamples + sileroChunk + paddingSamples);
  readonly #state = new Float32Array(cells);
  readonly #cellState = new Float32Array(cells);

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
      weights: reorderByTap(tensor(`encoder.${at}.reparam_conv.weight`), sizes[at] ?? 1),
      bias: tensor(`encoder.${at}.reparam_conv.bias`),
    }));
    this.#fromInput = tensor('decoder.rnn.weight_ih');
    this.#fromState = tensor('decoder.rnn.weight_hh');
    this.#biases = [tensor('decoder.rnn.bias_ih'), tensor('decoder.rnn.bias_hh')];
    this.#last = {
      weights: tensor('decoder.decoder.2.weight'),
      bias: tensor('decoder.decoder.2.bias'),
    };
  }

  /** Returns the likelihood of speech in this chunk, from 0 to 1. */
  push(chunk: Float32Array): number {
    const input = this.#input;
    input.copyWithin(0, sileroChunk, sileroChunk + contextSamples);
    input.set(chunk, contextSamples);
    // Reflection padding at the end.
    const end = contextSamples + sileroChunk;
    for (let n = 0; n < paddingSamples; n += 1) input[end + n] = input[end - 2 - n] ?? 0;
    let columns = this.#magnitudes();
    for (const layer of this.#layers) columns = convolve(layer, columns);
    this.#stepLstm(columns[0] ?? new Float32Array(cells));
    let sum = this.#last.bias[0] ?? 0;
    for (let n = 0; n < cells; n += 1)
      sum += Math.max(0, this.#state[n] ?? 0) * (this.#last.weights[n] ?? 0);
    return sigmoid(sum);
  }

  /** The spectrogram, one column per window. */
  #magnitudes(): readonly Float32Array[] {
    const columns: Float32Array[] = [];
    for (let from = 0; from + windowSamples <= this.#input.length; from += hop) {
      for (let n = 0; n < windowSamples; n += 1)
        this.#windowed[n] = (this.#input[from + n] ?? 0) * (this.#window[n] ?? 0);
      this.#fft.forward(this.#windowed, this.#spectrum);
      const column = new Float32Array(bins);
      powerSpectrum(this.#spectrum, column);
      columns.push(column.map(Math.sqrt));
    }
    return columns;
  }

  /** An LSTM step, with gates in the order input, forget, cell, output. */
  #stepLstm(input: Float32Array): void {
    const gates = new Float32Array(4 * cells);
    for (let gate = 0; gate < gates.length; gate += 1) {
      let sum = (this.#biases[0]?.[gate] ?? 0) + (this.#biases[1]?.[gate] ?? 0);
      for (let n = 0; n < cells; n += 1) {
        sum += (input[n] ?? 0) * (this.#fromInput[gate * cells + n] ?? 0);
        sum += (this.#state[n] ?? 0) * (this.#fromState[gate * cells + n] ?? 0);
      }
      gates[gate] = sum;
    }
    for (let n = 0; n < cells; n += 1) {
      const [inputGate, forgetGate, candidate, outputGate] = [0, 1, 2, 3].map(
        (at) => gates[at * cells + n] ?? 0,
      );
      const kept = sigmoid(forgetGate ?? 0) * (this.#cellState[n] ?? 0);
      this.#cellState[n] = kept + sigmoid(inputGate ?? 0) * Math.tanh(candidate ?? 0);
      this.#state[n] = sigmoid(outputGate ?? 0) * Math.tanh(this.#cellState[n] ?? 0);
    }
  }
}

/** Reorders weights so that the convolution reads them in sequence. */
function reorderByTap(weights: Float32Array, inputs: number): Float32Array {
  return weights.map((_, at) => {
    const [n, tap] = [at % inputs, Math.floor(at / inputs) % 3];
    const out = Math.floor(at / (3 * inputs));
    return weights[(out * inputs + n) * 3 + tap] ?? 0;
  });
}

/** A convolution over three columns with zero padding, then ReLU. */
function convolve(
  { inputs, outputs, stride, weights, bias }: Layer,
  columns: readonly Float32Array[],
): readonly Float32Array[] {
  const made: Float32Array[] = [];
  for (let middle = 0; middle < columns.length; middle += stride) {
    const column = new Float32Array(outputs);
    for (let out = 0; out < outputs; out += 1) {
      let sum = bias[out] ?? 0;
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

/** Reads the named tensors of all graphs of an ONNX file, with a minimal parser. */
function readOnnxTensors(file: Uint8Array): ReadonlyMap<string, Float32Array> {
  const tensors = new Map<string, Float32Array>();
  for (const [field, value] of iterateFields(file))
    if (field === modelGraph) readGraph(value, tensors);
  return tensors;
}

// Field numbers of onnx.proto.
const modelGraph = 7;
const graphNode = 1;
const nodeOutput = 2;
const nodeAttribute = 5;
const attributeTensor = 5;
const attributeGraph = 6;
const tensorData = 9;

function readGraph(graph: Uint8Array, tensors: Map<string, Float32Array>): void {
  for (const [field, node] of iterateFields(graph)) {
    if (field !== graphNode) continue;
    const parts = [...iterateFields(node)];
    const [, output] = parts.find(([part]) => part === nodeOutput) ?? [];
    for (const [part, attribute] of parts) {
      if (part !== nodeAttribute) continue;
      for (const [kind, value] of iterateFields(attribute)) {
        if (kind === attributeGraph) readGraph(value, tensors);
        if (kind !== attributeTensor || output === undefined) continue;
        const [, data] = [...iterateFields(value)].find(([what]) => what === tensorData) ?? [];
        if (data === undefined || data.length % 4 !== 0) continue;
        tensors.set(
          new TextDecoder().decode(output),
          new Float32Array(Uint8Array.from(data).buffer),
        );
      }
    }
  }
}

/** Iterates over the length-delimited fields of a protobuf message, and skips numbers. */
function* iterateFields(message: Uint8Array): Generator<readonly [number, Uint8Array]> {
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at] ?? 0;
      at += 1;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = number();
    const kind = tag & 7;
    if (kind === 0) number();
    else if (kind === 1) at += 8;
    else if (kind === 5) at += 4;
    else {
      const length = number();
      yield [Math.floor(tag / 8), message.subarray(at, at + length)];
      at += length;
    }
  }
}
