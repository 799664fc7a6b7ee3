import { echoBlockSamples } from '../capture/echo-canceller.ts';
import { powerSpectrum } from '../dsp/power-spectrum.ts';
import { emptyHalfSpectrum, RealFft } from '../dsp/real-fft.ts';
import type { HalfSpectrum } from '../dsp/real-fft.ts';
import { EchoConfidence } from './echo-confidence.ts';
import { echoFftSize } from './echo-filter.ts';
import { EchoGate } from './echo-gate.ts';
import { EchoLeak } from './echo-leak.ts';
import { NoiseSpectrum } from './noise-spectrum.ts';

const block = echoBlockSamples;
const bins = echoFftSize / 2 + 1;
/** An echo rings on after what is modelled of it: so much less of its power each block. */
const ringing = 0.6;
/** The filter doubts more than it is wrong. */
const doubtShare = 0.7;
/** As much more than is expected is taken out, since what is left of an echo varies: where nobody talks… */
const mostCaution = 20;
/** …and where somebody does, whose words matter more. */
const leastCaution = 3;
/** What stands so far above what is left of the echo is somebody… */
const somebody = 2;
/** …and is taken to be there still, fading by this a block. */
const presenceFading = 0.85;
/** How much the last block says about this one. */
const steadiness = 0.75;
/** No bin is made softer than by 40 dB. */
const leastGain = 0.01;
const tiny = 1e-9;

/** What is known of an echo besides what a filter expects. */
interface EchoOdds {
  /** How wrong the filter may be, bin by bin. */
  readonly doubt: Float32Array;
  /** What the loudspeaker plays now. */
  readonly played: HalfSpectrum;
  /** The echo by what was learned while that worked: what is learned of a wrong time soon looks right. */
  readonly proven: Float32Array;
  /** There is an echo, or it is too soon to know. */
  readonly isLikely: boolean;
  /** What is heard now was played after a break, and may be heard at another time than was told. */
  readonly isBroken: boolean;
}

/**
 * What a filter leaves of an echo, made soft in the bins in which it is: how much that is follows from how
 * much the filter doubts, and from how much of what swells and ebbs with the expected echo is still there.
 * Gives what came one block later.
 */
export class EchoSuppressor {
  readonly #fft = new RealFft(echoFftSize);
  readonly #shape = Float32Array.from({ length: 2 * block }, (_, n) =>
    Math.sin((Math.PI * (n + 0.5)) / (2 * block)),
  );
  readonly #noise = new NoiseSpectrum(bins);
  readonly #confidence = new EchoConfidence(bins, block / echoFftSize);
  readonly #gate = new EchoGate();
  readonly #rest = new Float32Array(2 * block);
  readonly #echo = new Float32Array(2 * block);
  readonly #work = new Float32Array(echoFftSize);
  readonly #heard = emptyHalfSpectrum(echoFftSize);
  readonly #expected = emptyHalfSpectrum(echoFftSize);
  readonly #provenEcho = new Float32Array(2 * block);
  readonly #proven = emptyHalfSpectrum(echoFftSize);
  readonly #left = emptyHalfSpectrum(echoFftSize);
  readonly #leak = new EchoLeak(bins);
  readonly #echoPower = new Float32Array(bins);
  readonly #power = new Float32Array(bins);
  readonly #ringing = new Float32Array(bins);
  readonly #residual = new Float32Array(bins);
  readonly #kept = new Float32Array(bins);
  readonly #gains = new Float32Array(bins);
  readonly #overlap = new Float32Array(block);
  readonly #made = new Float32Array(block);
  #presence = 0;

  /** How sure it is that no echo is left. */
  get confidence(): Pick<
    EchoConfidence,
    'trust' | 'hasWorked' | 'hearsSomebody' | 'broken' | 'moved' | 'confirmed'
  > {
    return this.#confidence;
  }

  /** The way is another one. */
  forgetPath(): void {
    this.#confidence.forget();
    this.#leak.forget();
  }

  /** A block without any echo, as it is. */
  pass(samples: Float32Array): Float32Array {
    this.#transform(this.#rest, samples, this.#heard);
    powerSpectrum(this.#heard, this.#power);
    this.#residual.fill(0);
    this.#ringing.fill(0);
    this.#kept.set(this.#power);
    this.#noise.learn(this.#power, this.#residual);
    this.#fft.inverse(this.#heard, this.#work);
    return this.#overlapped();
  }

  /** What was left of a block, the echo that was taken out of it, how much more there may be, and what is played. */
  process(
    rest: Float32Array,
    echo: Float32Array,
    { doubt, played, proven, isLikely, isBroken }: EchoOdds,
  ): Float32Array {
    this.#transform(this.#rest, rest, this.#heard);
    this.#transform(this.#echo, echo, this.#expected);
    this.#follow(proven, played);
    const { loudest, unsure, left: known } = this.#confidence;
    const possible = isLikely ? Math.max(unsure, Number(isBroken)) : 0;
    powerSpectrum(this.#heard, this.#power);
    powerSpectrum(this.#expected, this.#echoPower);
    this.#leak.follow(this.#power, this.#echoPower);
    for (let bin = 0; bin < bins; bin += 1) {
      const left = Math.max(
        Math.max(known, this.#leak.at(bin)) * (this.#echoPower[bin] ?? 0),
        doubtShare * (doubt[bin] ?? 0),
      );
      this.#ringing[bin] = Math.max(left, ringing * (this.#ringing[bin] ?? 0));
      this.#residual[bin] = Math.min(
        Math.max(this.#ringing[bin] ?? 0, possible * (loudest[bin] ?? 0)),
        this.#confidence.mostIn(bin),
      );
    }
    this.#noise.learn(this.#power, this.#residual);
    this.#decide();
    return this.#synthesize();
  }

  #follow(proven: Float32Array, played: HalfSpectrum): void {
    const heard = this.#heard;
    const expected = this.#expected;
    const other = this.#proven;
    const left = this.#left;
    this.#transform(this.#provenEcho, proven, other);
    for (let bin = 0; bin < bins; bin += 1) {
      left.re[bin] = (heard.re[bin] ?? 0) + (expected.re[bin] ?? 0) - (other.re[bin] ?? 0);
      left.im[bin] = (heard.im[bin] ?? 0) + (expected.im[bin] ?? 0) - (other.im[bin] ?? 0);
    }
    this.#confidence.follow(
      { left: heard, expected },
      { left, expected: other },
      played,
      this.#noise.power,
    );
  }

  #transform(memory: Float32Array, samples: Float32Array, into: HalfSpectrum): void {
    memory.copyWithin(0, block);
    memory.set(samples, block);
    this.#work.fill(0);
    for (let n = 0; n < memory.length; n += 1)
      this.#work[n] = (memory[n] ?? 0) * (this.#shape[n] ?? 0);
    this.#fft.forward(this.#work, into);
  }

  #decide(): void {
    const caution = this.#caution();
    const heard = this.#heard;
    const expected = this.#expected;
    let kept = 0;
    let echo = 0;
    let captured = 0;
    for (let bin = 0; bin < bins; bin += 1) {
      const power = this.#power[bin] ?? 0;
      const unwanted = caution * (this.#residual[bin] ?? 0) + tiny * tiny;
      const now = Math.max(0, power / unwanted - 1);
      const likely = steadiness * ((this.#kept[bin] ?? 0) / unwanted) + (1 - steadiness) * now;
      const gain = Math.max(likely / (1 + likely), leastGain);
      this.#gains[bin] = gain;
      this.#kept[bin] = gain * gain * power;
      kept += gain * gain * power;
      echo += this.#echoPower[bin] ?? 0;
      const re = (heard.re[bin] ?? 0) + (expected.re[bin] ?? 0);
      const im = (heard.im[bin] ?? 0) + (expected.im[bin] ?? 0);
      captured += re * re + im * im;
    }
    this.#leave(this.#gate.follow(kept, echo, captured, this.#confidence.left));
  }

  /** The room itself stays: silence between the words would be heard. */
  #leave(share: number): void {
    const noise = this.#noise.power;
    for (let bin = 0; bin < bins; bin += 1) {
      const power = (this.#power[bin] ?? 0) + tiny * tiny;
      const room = Math.sqrt(Math.min(1, (noise[bin] ?? 0) / power));
      this.#gains[bin] = Math.max(share * (this.#gains[bin] ?? 0), room);
    }
  }

  #caution(): number {
    let heard = 0;
    let explained = tiny * tiny;
    for (let bin = 0; bin < bins; bin += 1) {
      heard += this.#power[bin] ?? 0;
      explained += (this.#residual[bin] ?? 0) + (this.#noise.power[bin] ?? 0);
    }
    this.#presence = Math.max(heard / explained, presenceFading * this.#presence);
    const wanted = (mostCaution * somebody) / Math.max(this.#presence, tiny);
    return Math.min(mostCaution, Math.max(leastCaution, wanted));
  }

  #synthesize(): Float32Array {
    const { re, im } = this.#heard;
    for (let bin = 0; bin < bins; bin += 1) {
      const gain = this.#gains[bin] ?? 0;
      re[bin] = (re[bin] ?? 0) * gain;
      im[bin] = (im[bin] ?? 0) * gain;
    }
    this.#fft.inverse(this.#heard, this.#work);
    return this.#overlapped();
  }

  #overlapped(): Float32Array {
    for (let n = 0; n < block; n += 1) {
      this.#made[n] = (this.#overlap[n] ?? 0) + (this.#work[n] ?? 0) * (this.#shape[n] ?? 0);
      this.#overlap[n] = (this.#work[block + n] ?? 0) * (this.#shape[block + n] ?? 0);
    }
    return this.#made;
  }
}
