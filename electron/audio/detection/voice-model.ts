import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { emptyHalfSpectrum, powerSpectrum, RealFft } from '../dsp/real-fft.ts';
import { appendToHistory } from '../dsp/samples.ts';
import {
  applyToFour,
  applyToOne,
  readLayers,
  rectify,
  sigmoid,
} from '../learned/learned-layers.ts';
import { voiceWeights } from '../learned/voice-weights.ts';

/** Samples per likelihood: 10 ms. */
export const voiceStepSamples = inputRate / 100;

/**
 * Estimates the probability of speech every 10 ms: from a network on 32 ms chunks, and from how the level of each step
 * compares with the last 1.5 s. Only changes of the level count, not the level itself.
 */
export class VoiceModel {
  readonly #spectra = new ChunkSpectra();
  readonly #network = new VoiceNetwork();
  readonly #classifier = new VoiceClassifier();
  readonly #spectrum = new StepSpectrum();
  readonly #step = new Float32Array(voiceStepSamples);
  readonly #chunk = new Float32Array(chunkSamples);
  #filled = 0;
  #chunkFilled = 0;
  #likelihood = 0;

  get likelihood(): number {
    return this.#likelihood;
  }

  get power(): Float32Array {
    return this.#spectrum.power;
  }

  get missingSamples(): number {
    return voiceStepSamples - this.#filled;
  }

  /** True at a step boundary, where the likelihood is current. */
  get isStepComplete(): boolean {
    return this.#filled === 0;
  }

  /** Accepts any length, at `inputRate`. */
  push(block: Float32Array): void {
    for (let from = 0; from < block.length;) {
      const count = Math.min(block.length - from, this.missingSamples);
      for (let n = 0; n < count; n += 1) this.#step[this.#filled + n] = block[from + n] ?? 0;
      this.#filled += count;
      from += count;
      if (this.missingSamples > 0) return;
      this.#filled = 0;
      this.#processStep(this.#step);
    }
  }

  reset(): void {
    this.#spectra.reset();
    this.#network.reset();
    this.#classifier.reset();
    this.#spectrum.reset();
    this.#filled = 0;
    this.#chunkFilled = 0;
    this.#likelihood = 0;
  }

  #processStep(step: Float32Array): void {
    this.#spectrum.push(step);
    for (let n = 0; n < voiceStepSamples; n += 1) {
      this.#chunk[this.#chunkFilled] = step[n] ?? 0;
      this.#chunkFilled += 1;
      if (this.#chunkFilled < chunkSamples) continue;
      this.#chunkFilled = 0;
      this.#spectra.push(this.#chunk);
      this.#network.push(this.#spectra.rows);
      this.#classifier.setFeatures(this.#network.features);
    }
    this.#likelihood = this.#classifier.likelihood(step);
  }
}

/** Weight and scale of the first feature, which is the network's own log-odds of speech. */
const networkWeight = 0.5;
const networkScale = 0.3;
const initialFeature = -1;

/** Combines the network's latest features with the current level, every 10 ms. */
class VoiceClassifier {
  readonly #levels = new StepLevels();
  readonly #inputs = new Float32Array(chunkFeatures + levelFeatures);
  readonly #hidden = new Float32Array(layers.together.outputs);
  readonly #sum = new Float32Array(1);

  constructor() {
    this.reset();
  }

  setFeatures(features: Float32Array): void {
    this.#inputs[0] = networkScale * (features[0] ?? 0);
    for (let n = 1; n < chunkFeatures; n += 1) this.#inputs[n] = Math.tanh(features[n] ?? 0);
  }

  likelihood(step: Float32Array): number {
    this.#levels.push(step);
    this.#inputs.set(this.#levels.values, chunkFeatures);
    applyToOne(layers.together, this.#inputs, this.#hidden);
    rectify(this.#hidden);
    applyToOne(layers.voice, this.#hidden, this.#sum);
    return sigmoid((this.#sum[0] ?? 0) + (networkWeight / networkScale) * (this.#inputs[0] ?? 0));
  }

  reset(): void {
    this.#levels.reset();
    this.#inputs.fill(0);
    this.#inputs[0] = initialFeature;
  }
}

/** Added to each power, so that digital silence has a finite level. */
const powerFloor = 1e-9;
/** Number of 10 ms steps whose minimum level counts as the noise: the newest and the 1.5 s before it. */
const noiseSteps = 151;
/** Number of 10 ms steps whose maximum and mean levels are features: the newest and the 1 s before it. */
const recentSteps = 101;
/** Pre-emphasis factor: at 16 kHz it weakens sound below 2.7 kHz and amplifies sound above. */
const preEmphasis = 0.95;
const levelFeatures = 10;

/** Levels of each 10 ms step against its past, for the full band and the high band. */
class StepLevels {
  readonly values = new Float32Array(levelFeatures);
  readonly #full = new PastLevels();
  readonly #high = new PastLevels();
  #previousSample = 0;

  push(step: Float32Array): void {
    let fullEnergy = 0;
    let highEnergy = 0;
    let previous = this.#previousSample;
    for (let n = 0; n < step.length; n += 1) {
      const sample = step[n] ?? 0;
      const emphasized = sample - preEmphasis * previous;
      fullEnergy += sample * sample;
      highEnergy += emphasized * emphasized;
      previous = sample;
    }
    this.#previousSample = previous;
    const fullDb = 10 * Math.log10(fullEnergy / step.length + powerFloor);
    const highDb = 10 * Math.log10(highEnergy / step.length + powerFloor);
    this.#full.push(fullDb);
    this.#high.push(highDb);
    this.#full.writeTo(this.values, 0);
    this.#high.writeTo(this.values, 4);
    this.values[8] = (fullDb - this.#full.mean) / 20;
    this.values[9] = (highDb - fullDb) / 10;
  }

  reset(): void {
    this.#full.reset();
    this.#high.reset();
    this.#previousSample = 0;
  }
}

/** The levels of the last 1.5 s, newest last. The first level fills the history. */
class PastLevels {
  readonly #levels = new Float32Array(noiseSteps);
  #hasLevels = false;

  reset(): void {
    this.#hasLevels = false;
  }

  push(level: number): void {
    if (!this.#hasLevels) this.#levels.fill(level);
    this.#hasLevels = true;
    this.#levels.copyWithin(0, 1);
    this.#levels[noiseSteps - 1] = level;
  }

  get mean(): number {
    let sum = 0;
    for (let at = noiseSteps - recentSteps; at < noiseSteps; at += 1) sum += this.#levels[at] ?? 0;
    return sum / recentSteps;
  }

  /**
   * Writes the newest level relative to the minimum, the maximum, the previous level, and the level three steps before.
   */
  writeTo(into: Float32Array, at: number): void {
    const levels = this.#levels;
    const now = levels[noiseSteps - 1] ?? 0;
    let minLevel = now;
    let maxLevel = now;
    for (let n = 0; n < noiseSteps; n += 1) {
      const level = levels[n] ?? 0;
      if (level < minLevel) minLevel = level;
      if (level > maxLevel && n >= noiseSteps - recentSteps) maxLevel = level;
    }
    into[at] = (now - minLevel) / 20 - 0.5;
    into[at + 1] = (now - maxLevel) / 20;
    into[at + 2] = (now - (levels[noiseSteps - 2] ?? 0)) / 10;
    into[at + 3] = (now - (levels[noiseSteps - 4] ?? 0)) / 10;
  }
}

const size = 512;

/** The power of each bin in the last 32 ms, computed on demand, because only noise suppression reads it. */
class StepSpectrum {
  readonly #power = new Float32Array(size / 2 + 1);
  readonly #history = new Float32Array(size);
  readonly #work = new Float32Array(size);
  readonly #fft = new RealFft(size);
  readonly #spectrum = emptyHalfSpectrum(size);
  readonly #window = Float32Array.from(
    { length: size },
    (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (n + 0.5)) / size),
  );
  #isComputed = true;

  get power(): Float32Array {
    if (this.#isComputed) return this.#power;
    this.#isComputed = true;
    for (let n = 0; n < size; n += 1)
      this.#work[n] = (this.#history[n] ?? 0) * (this.#window[n] ?? 0);
    this.#fft.forward(this.#work, this.#spectrum);
    powerSpectrum(this.#spectrum, this.#power);
    return this.#power;
  }

  push(step: Float32Array): void {
    appendToHistory(this.#history, step);
    this.#isComputed = false;
  }

  reset(): void {
    this.#history.fill(0);
    this.#power.fill(0);
    this.#isComputed = true;
  }
}

const layers = readLayers(voiceWeights);
const rowLength = layers.spectra.outputs;
const cells = layers.cells.outputs / 4;
/** Number of features that the network computes per chunk; the first one is the log-odds of speech. */
const chunkFeatures = layers.findings.outputs;

/**
 * A small network on 32 ms chunks: convolutions over four spectra, then a recurrent layer. It is Silero VAD v5
 * with fewer channels and further training (docs/decisions/0044-voice-detector.md).
 */
class VoiceNetwork {
  readonly features = new Float32Array(chunkFeatures);
  /** Outputs of the first layer, one row per spectrum; the first and last row are zero padding. */
  readonly #spectra = new Float32Array((chunkFrames + 2) * rowLength);
  /** The layer `pairs` reads three rows and moves by two, so its second input begins at the third row. */
  readonly #secondPairInput = this.#spectra.subarray(2 * rowLength);
  readonly #pairs = new Float32Array(2 * layers.pairs.outputs);
  readonly #pooled = new Float32Array(layers.whole.outputs);
  readonly #cellInput = new Float32Array(2 * cells);
  readonly #chunk = this.#cellInput.subarray(0, cells);
  readonly #hidden = this.#cellInput.subarray(cells);
  readonly #cellState = new Float32Array(cells);
  readonly #gates = new Float32Array(4 * cells);
  readonly #cellOutput = new Float32Array(cells);
  readonly #innerRows = this.#spectra.subarray(rowLength, (chunkFrames + 1) * rowLength);

  /** Expects four spectra in order, with a row of zeros before and after. */
  push(spectra: Float32Array): void {
    applyToFour(layers.spectra, spectra, spectrumBins, this.#spectra, rowLength);
    rectify(this.#innerRows);
    applyToOne(layers.pairs, this.#spectra, this.#pairs);
    applyToOne(layers.pairs, this.#secondPairInput, this.#pairs, layers.pairs.outputs);
    rectify(this.#pairs);
    applyToOne(layers.whole, this.#pairs, this.#pooled);
    rectify(this.#pooled);
    applyToOne(layers.chunk, this.#pooled, this.#chunk);
    rectify(this.#chunk);
    applyToOne(layers.cells, this.#cellInput, this.#gates);
    this.#updateCells();
    applyToOne(layers.findings, this.#cellOutput, this.features);
  }

  reset(): void {
    this.#hidden.fill(0);
    this.#cellState.fill(0);
    this.features.fill(0);
  }

  #updateCells(): void {
    const gates = this.#gates;
    for (let cell = 0; cell < cells; cell += 1) {
      const inputGate = sigmoid(gates[cell] ?? 0);
      const forgetGate = sigmoid(gates[cells + cell] ?? 0);
      const candidate = Math.tanh(gates[2 * cells + cell] ?? 0);
      const outputGate = sigmoid(gates[3 * cells + cell] ?? 0);
      const cellState = forgetGate * (this.#cellState[cell] ?? 0) + inputGate * candidate;
      const output = outputGate * Math.tanh(cellState);
      this.#cellState[cell] = cellState;
      this.#hidden[cell] = output;
      this.#cellOutput[cell] = Math.max(0, output);
    }
  }
}

/** Samples of one chunk, the network's input: 32 ms. */
const chunkSamples = 512;
/** 4 ms of context on each side, so that four windows fit: the samples before the chunk, and its mirrored end after it. */
const contextSamples = 64;
const windowSamples = 256;
const hop = 128;
const chunkFrames = 4;
/** Bins up to 7 kHz. */
const spectrumBins = 113;

/** The magnitude spectra of a chunk, from four overlapping windows. */
class ChunkSpectra {
  /** A row of zeros, four rows of magnitudes, and a row of zeros. */
  readonly rows = new Float32Array((chunkFrames + 2) * spectrumBins);
  readonly #fft = new RealFft(windowSamples);
  readonly #hann = Float32Array.from(
    { length: windowSamples },
    (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / windowSamples),
  );
  readonly #input = new Float32Array(chunkSamples + 2 * contextSamples);
  readonly #work = new Float32Array(windowSamples);
  readonly #spectrum = emptyHalfSpectrum(windowSamples);

  push(chunk: Float32Array): void {
    const input = this.#input;
    input.copyWithin(0, chunkSamples, chunkSamples + contextSamples);
    input.set(chunk, contextSamples);
    const end = contextSamples + chunkSamples;
    for (let n = 0; n < contextSamples; n += 1) input[end + n] = input[end - 2 - n] ?? 0;
    for (let frame = 0; frame < chunkFrames; frame += 1) this.#transform(frame);
  }

  reset(): void {
    this.#input.fill(0);
  }

  #transform(frame: number): void {
    const { re, im } = this.#spectrum;
    for (let n = 0; n < windowSamples; n += 1)
      this.#work[n] = (this.#input[frame * hop + n] ?? 0) * (this.#hann[n] ?? 0);
    this.#fft.forward(this.#work, this.#spectrum);
    const row = (frame + 1) * spectrumBins;
    for (let bin = 0; bin < spectrumBins; bin += 1) {
      const real = re[bin] ?? 0;
      const imaginary = im[bin] ?? 0;
      this.rows[row + bin] = Math.sqrt(real * real + imaginary * imaginary);
    }
  }
}
