import { emptyHalfSpectrum, type HalfSpectrum, powerSpectrum, RealFft } from '../dsp/real-fft.ts';
import { appendToHistory } from '../dsp/samples.ts';
import { echoWeights } from '../learned/echo-weights.ts';
import { applyToOne, readLayers, rectify, GruLayer, sigmoid } from '../learned/learned-layers.ts';
import { echoBlockSamples } from './echo-canceller.ts';
import { echoFftSize } from './echo-filter.ts';

const block = echoBlockSamples;
const bins = echoFftSize / 2 + 1;
/** Below −100 dBFS, sound counts as silence. */
const powerFloor = 1e-7;
/** Weight of the newest block in the coherence of residual and echo. */
const coherenceGain = 0.25;
const tiny = 1e-9;
/** Above this probability of near-end speech a person certainly speaks, and the suppressor takes less. */
const certainPresence = 0.9;
/** Share of the suppression (in dB) that remains while a person certainly speaks. */
const remainingShare = 0.85;

/** A captured block, split into the expected echo and the residual. */
export interface SplitBlock {
  readonly residual: HalfSpectrum;
  readonly expected: HalfSpectrum;
}

/** Suppresses the residual echo with gains from a network. The output is one block late. */
export class EchoSuppressor {
  readonly #judge: EchoJudge;
  readonly #fft = new RealFft(echoFftSize);
  readonly #window = Float32Array.from({ length: 2 * block }, (_, n) =>
    Math.sin((Math.PI * (n + 0.5)) / (2 * block)),
  );
  readonly #residualSamples = new Float32Array(2 * block);
  readonly #echoSamples = new Float32Array(2 * block);
  readonly #work = new Float32Array(echoFftSize);
  readonly #residual = emptyHalfSpectrum(echoFftSize);
  readonly #expected = emptyHalfSpectrum(echoFftSize);
  readonly #provenSamples = new Float32Array(2 * block);
  readonly #provenEcho = emptyHalfSpectrum(echoFftSize);
  readonly #provenResidual = emptyHalfSpectrum(echoFftSize);
  /** The last block, split by the filter's path and by the proven path. */
  readonly split: SplitBlock = { residual: this.#residual, expected: this.#expected };
  readonly provenSplit: SplitBlock = { residual: this.#provenResidual, expected: this.#provenEcho };
  readonly #power = new Float32Array(bins);
  readonly #cross = emptyHalfSpectrum(echoFftSize);
  readonly #features = new Float32Array(echoFeatures);
  readonly #bandValues = new Float32Array(echoBands);
  readonly #real = new Float32Array(echoBands);
  readonly #imaginary = new Float32Array(echoBands);
  readonly #residualPower = new Float32Array(echoBands);
  readonly #echoPower = new Float32Array(echoBands);
  readonly #bandGains = new Float32Array(echoBands);
  readonly #gains = new Float32Array(bins);
  readonly #overlap = new Float32Array(block);
  readonly #output = new Float32Array(block);
  #isPassing = true;

  constructor(judge: EchoJudge = new EchoNetwork()) {
    this.#judge = judge;
  }

  get nearEndPresence(): number | undefined {
    return this.#isPassing ? undefined : this.#judge.presence;
  }

  pass(samples: Float32Array): Float32Array {
    this.#isPassing = true;
    this.#transform(this.#residualSamples, samples, this.#residual);
    this.#fft.inverse(this.#residual, this.#work);
    return this.#overlapAdd();
  }

  /** Takes the filter's residual, the echo it removed, and the echo that the proven path expects. */
  push(residual: Float32Array, echo: Float32Array, proven: Float32Array): void {
    this.#transform(this.#residualSamples, residual, this.#residual);
    this.#transform(this.#echoSamples, echo, this.#expected);
    this.#transform(this.#provenSamples, proven, this.#provenEcho);
    const [residualSpectrum, expected] = [this.#residual, this.#expected];
    const [provenEcho, provenResidual] = [this.#provenEcho, this.#provenResidual];
    for (let bin = 0; bin < bins; bin += 1) {
      provenResidual.re[bin] =
        (residualSpectrum.re[bin] ?? 0) + (expected.re[bin] ?? 0) - (provenEcho.re[bin] ?? 0);
      provenResidual.im[bin] =
        (residualSpectrum.im[bin] ?? 0) + (expected.im[bin] ?? 0) - (provenEcho.im[bin] ?? 0);
    }
  }

  /** Returns the pushed block after suppression. `played` is the current far end; `maxGain` limits every gain. */
  process(played: HalfSpectrum, maxGain = 1): Float32Array {
    this.#computeFeatures(played);
    this.#judge.judge(this.#features);
    this.#isPassing = false;
    this.#bandGains.set(this.#judge.gains);
    if (this.#judge.presence > certainPresence)
      for (let band = 0; band < echoBands; band += 1)
        this.#bandGains[band] = (this.#bandGains[band] ?? 0) ** remainingShare;
    fromBands(this.#bandGains, this.#gains);
    const { re, im } = this.#residual;
    for (let bin = 0; bin < bins; bin += 1) {
      const gain = maxGain * (this.#gains[bin] ?? 0);
      re[bin] = (re[bin] ?? 0) * gain;
      im[bin] = (im[bin] ?? 0) * gain;
    }
    this.#fft.inverse(this.#residual, this.#work);
    return this.#overlapAdd();
  }

  #transform(history: Float32Array, samples: Float32Array, into: HalfSpectrum): void {
    appendToHistory(history, samples);
    this.#work.fill(0);
    for (let n = 0; n < history.length; n += 1)
      this.#work[n] = (history[n] ?? 0) * (this.#window[n] ?? 0);
    this.#fft.forward(this.#work, into);
  }

  #computeFeatures(played: HalfSpectrum): void {
    const features = this.#features;
    const { re: hr, im: hi } = this.#residual;
    const { re: er, im: ei } = this.#expected;
    const { re: real, im: imaginary } = this.#cross;
    const power = this.#power;
    powerSpectrum(this.#residual, power);
    toBands(power, features, 0);
    for (let bin = 0; bin < bins; bin += 1) {
      const a = hr[bin] ?? 0;
      const b = hi[bin] ?? 0;
      const c = er[bin] ?? 0;
      const d = ei[bin] ?? 0;
      power[bin] = (a + c) * (a + c) + (b + d) * (b + d);
      real[bin] = a * c + b * d;
      imaginary[bin] = b * c - a * d;
    }
    toBands(power, features, echoBands);
    powerSpectrum(this.#expected, power);
    toBands(power, features, 2 * echoBands);
    powerSpectrum(played, power);
    toBands(power, features, 3 * echoBands);
    this.#computeCoherence();
    for (let n = 0; n < 4 * echoBands; n += 1)
      features[n] = Math.log10((features[n] ?? 0) + powerFloor);
  }

  /** Computes the coherence of residual and expected echo: from 0 to 1 in each band. */
  #computeCoherence(): void {
    const features = this.#features;
    toBands(this.#cross.re, this.#bandValues, 0);
    for (let band = 0; band < echoBands; band += 1)
      mix(this.#real, band, this.#bandValues[band] ?? 0);
    toBands(this.#cross.im, this.#bandValues, 0);
    for (let band = 0; band < echoBands; band += 1) {
      mix(this.#imaginary, band, this.#bandValues[band] ?? 0);
      mix(this.#residualPower, band, features[band] ?? 0);
      mix(this.#echoPower, band, features[2 * echoBands + band] ?? 0);
      const powerProduct = (this.#residualPower[band] ?? 0) * (this.#echoPower[band] ?? 0) + tiny;
      const real = this.#real[band] ?? 0;
      const imaginary = this.#imaginary[band] ?? 0;
      features[4 * echoBands + band] = (real * real + imaginary * imaginary) / powerProduct;
    }
  }

  #overlapAdd(): Float32Array {
    for (let n = 0; n < block; n += 1) {
      this.#output[n] = (this.#overlap[n] ?? 0) + (this.#work[n] ?? 0) * (this.#window[n] ?? 0);
      this.#overlap[n] = (this.#work[block + n] ?? 0) * (this.#window[block + n] ?? 0);
    }
    return this.#output;
  }
}

function mix(averages: Float32Array, band: number, value: number): void {
  averages[band] = (averages[band] ?? 0) + coherenceGain * (value - (averages[band] ?? 0));
}

/**
 * Center bins of the bands, in a spectrum of 257 bins, each 31 Hz wide. Bands are three bins wide below 1.5 kHz, then wider.
 */
const centers = [
  1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 34, 37, 40, 43, 46, 50, 54, 59, 64, 70, 77, 85, 94, 104,
  115, 127, 141, 157, 175, 196, 220, 250,
] as const;
export const echoBands = centers.length;
/** For each bin: the band whose center is at or below it, and the share of the bin that belongs to the next band. */
const bandOfBin = new Uint8Array(bins);
const nextShare = new Float32Array(bins);
for (let bin = 0; bin < bins; bin += 1) {
  const next = centers.findIndex((center) => center > bin);
  const band = next === -1 ? echoBands - 1 : Math.max(0, next - 1);
  const [from, to] = [centers[band] ?? 0, centers[band + 1] ?? bins];
  bandOfBin[bin] = band;
  nextShare[bin] = next <= 0 ? 0 : (bin - from) / (to - from);
}

/** Sums the power of bins into overlapping bands. */
export function toBands(power: Float32Array, into: Float32Array, at = 0): void {
  into.fill(0, at, at + echoBands);
  for (let bin = 0; bin < bins; bin += 1) {
    const band = at + (bandOfBin[bin] ?? 0);
    const share = nextShare[bin] ?? 0;
    const value = power[bin] ?? 0;
    into[band] = (into[band] ?? 0) + (1 - share) * value;
    if (share > 0) into[band + 1] = (into[band + 1] ?? 0) + share * value;
  }
}

/** Interpolates a value per band to a value per bin. */
function fromBands(bands: Float32Array, into: Float32Array): void {
  for (let bin = 0; bin < bins; bin += 1) {
    const band = bandOfBin[bin] ?? 0;
    const share = nextShare[bin] ?? 0;
    const next = share > 0 ? (bands[band + 1] ?? 0) : 0;
    into[bin] = (1 - share) * (bands[band] ?? 0) + share * next;
  }
}

const layers = readLayers(echoWeights);
const powerFeatures = 4 * echoBands;
/**
 * Number of the network's inputs for a block. They are, for each band: the log power of the residual, the captured
 * sound, the expected echo and the far end, and the coherence of residual and expected echo, from 0 to 1.
 */
export const echoFeatures = powerFeatures + echoBands;

/**
 * A recurrent network that separates near-end speech from residual echo, trained on simulated rooms
 * (docs/decisions/0039-echo-canceller.md, `scripts/learn-echo`).
 */
export class EchoNetwork {
  readonly gains = new Float32Array(echoBands);
  readonly #input = new Float32Array(echoFeatures);
  readonly #narrow = new Float32Array(layers.narrow.outputs);
  readonly #first = new GruLayer(layers.firstInput, layers.firstState);
  readonly #second = new GruLayer(layers.secondInput, layers.secondState);
  readonly #output = new Float32Array(layers.out.outputs);
  #presence = 0;

  get presence(): number {
    return this.#presence;
  }

  judge(features: Float32Array): void {
    const input = this.#input;
    for (let n = 0; n < powerFeatures; n += 1) input[n] = ((features[n] ?? 0) + 2) / 2;
    for (let n = powerFeatures; n < echoFeatures; n += 1) input[n] = (features[n] ?? 0) * 2 - 1;
    applyToOne(layers.narrow, input, this.#narrow);
    rectify(this.#narrow);
    this.#first.push(this.#narrow);
    this.#second.push(this.#first.state);
    applyToOne(layers.out, this.#second.state, this.#output);
    for (let band = 0; band < echoBands; band += 1)
      this.gains[band] = sigmoid(this.#output[band] ?? 0);
    this.#presence = sigmoid(this.#output[echoBands] ?? 0);
  }
}

/** Estimates for each band the share that is not echo, and the probability of near-end speech. */
export type EchoJudge = Pick<EchoNetwork, 'gains' | 'presence' | 'judge'>;
