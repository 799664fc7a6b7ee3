import { emptyHalfSpectrum, RealFft } from '../dsp/real-fft.ts';
import {
  applyFourTimes,
  applyOnce,
  readLayers,
  rectify,
  sigmoid,
} from '../learned/learned-layers.ts';
import { voiceWeights } from '../learned/voice-weights.ts';

export const voiceLayers = readLayers(voiceWeights);
const layers = voiceLayers;
const rowLength = layers.spectra.outputs;
const cells = layers.cells.outputs / 4;
/** Number of features that the network computes per chunk; the first one is the likelihood of speech. */
export const chunkFeatures = layers.findings.outputs;

/**
 * A small network on 32 ms chunks: convolutions over four spectra, then a recurrent layer. It is Silero VAD v5
 * with fewer channels and further training (docs/decisions/0044-voice-detector.md).
 */
export class VoiceNetwork {
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
    applyFourTimes(layers.spectra, spectra, spectrumBins, this.#spectra, rowLength);
    rectify(this.#innerRows);
    applyOnce(layers.pairs, this.#spectra, this.#pairs);
    applyOnce(layers.pairs, this.#secondPairInput, this.#pairs, layers.pairs.outputs);
    rectify(this.#pairs);
    applyOnce(layers.whole, this.#pairs, this.#pooled);
    rectify(this.#pooled);
    applyOnce(layers.chunk, this.#pooled, this.#chunk);
    rectify(this.#chunk);
    applyOnce(layers.cells, this.#cellInput, this.#gates);
    this.#updateCells();
    applyOnce(layers.findings, this.#cellOutput, this.features);
  }

  reset(): void {
    this.#hidden.fill(0);
    this.#cellState.fill(0);
    this.features.fill(0);
  }

  /** The LSTM update of each cell. */
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
export const chunkSamples = 512;
/** Context of 4 ms: the samples before the chunk, and the chunk's end mirrored after it, so that four windows fit. */
const contextSamples = 64;
const windowSamples = 256;
const hop = 128;
const chunkFrames = 4;
/** Bins up to 7 kHz. */
const spectrumBins = 113;

/** The magnitude spectra of a chunk, from four overlapping windows. */
export class ChunkSpectra {
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
