import { BitWriter, flacFrameCheck, flacHeadCheck } from './flac-format.ts';
import {
  fitPrediction,
  fixedPredictions,
  type LinearPrediction,
  residualOf,
} from './linear-prediction.ts';
import { planRice, type RicePlan, writeRice } from './rice-coding.ts';

const bitsPerSample = 16;
/** More of them take longer, and save nothing that is worth it in speech. */
const linearOrder = 10;
/** Those that are worth a number in the header; 0 is what the file begins with. */
const rateCodes: Readonly<Record<number, number>> = { 8000: 4, 16_000: 5, 24_000: 7, 48_000: 10 };

/**
 * One block of samples as a frame of FLAC, which needs no other frame to be read.
 *
 * @param channels one or two, of the same length
 * @param first the number of its first sample in the file
 */
export function encodeFlacFrame(
  channels: readonly Int32Array[],
  first: number,
  rate: number,
): Uint8Array {
  const length = channels[0]?.length ?? 0;
  const bits = new BitWriter(length * channels.length * 2 + 64);
  // A variable length, so that what a message brought makes whole frames.
  bits.write(0xff_f9, 16);
  bits.write(7, 4);
  bits.write(rateCodes[rate] ?? 0, 4);
  bits.write(channels.length - 1, 4);
  bits.write(4, 3);
  bits.write(0, 1);
  writeNumber(bits, first);
  bits.write(length - 1, 16);
  bits.write(flacHeadCheck(bits.written), 8);
  for (const samples of channels) writeChannel(bits, samples);
  bits.align();
  bits.write(flacFrameCheck(bits.written), 16);
  return bits.written;
}

/** As UTF-8 writes a character, up to 36 bits. */
function writeNumber(bits: BitWriter, value: number): void {
  if (value < 0x80) {
    bits.write(value, 8);
    return;
  }
  let more = 1;
  while (value >= 2 ** (more * 5 + 6)) more += 1;
  const lead = (0xff << (7 - more)) & 0xff;
  bits.write(lead | Math.floor(value / 2 ** (6 * more)), 8);
  for (let at = more - 1; at >= 0; at -= 1)
    bits.write(0x80 | (Math.floor(value / 2 ** (6 * at)) % 64), 8);
}

function writeChannel(bits: BitWriter, samples: Int32Array): void {
  const [first = 0] = samples;
  if (isConstant(samples, first)) {
    bits.write(0, 8);
    bits.write(first, bitsPerSample);
    return;
  }
  const plan = planChannel(samples);
  if (plan === undefined) {
    bits.write(1 << 1, 8);
    for (const sample of samples) bits.write(sample, bitsPerSample);
    return;
  }
  const { prediction, residual, rice } = plan;
  const { coefficients, shift, precision } = prediction;
  const order = coefficients.length;
  bits.write((precision === 0 ? 8 + order : 32 + order - 1) << 1, 8);
  for (const sample of samples.subarray(0, order)) bits.write(sample, bitsPerSample);
  if (precision > 0) {
    bits.write(precision - 1, 4);
    bits.write(shift, 5);
    for (const coefficient of coefficients) bits.write(coefficient, precision);
  }
  writeRice(bits, residual, order, rice);
}

function isConstant(samples: Int32Array, value: number): boolean {
  for (let n = 0; n < samples.length; n += 1) if (samples[n] !== value) return false;
  return true;
}

interface ChannelPlan {
  readonly prediction: LinearPrediction;
  readonly residual: Int32Array;
  readonly rice: RicePlan;
}

/** The one that takes the fewest bits; nothing where the samples themselves take no more. */
function planChannel(samples: Int32Array): ChannelPlan | undefined {
  const { length } = samples;
  const fixed = bestFixed(samples);
  const linear = length > 4 * linearOrder ? fitPrediction(samples, linearOrder) : undefined;
  const residuals = [fixed, linear].flatMap((prediction) => {
    if (prediction === undefined || prediction.coefficients.length >= length) return [];
    const residual = residualOf(samples, prediction);
    return [{ prediction, residual, bits: roughBits(prediction, residual) }];
  });
  const [best] = residuals.toSorted((one, other) => one.bits - other.bits);
  if (best === undefined) return undefined;
  const { prediction, residual } = best;
  const order = prediction.coefficients.length;
  const rice = planRice(residual, order);
  const bits = rice.bits + order * bitsPerSample + ownBits(prediction);
  return bits < length * bitsPerSample ? { prediction, residual, rice } : undefined;
}

function ownBits({ coefficients, precision }: LinearPrediction): number {
  return precision === 0 ? 0 : 9 + coefficients.length * precision;
}

/** Good enough to choose by. */
function roughBits(prediction: LinearPrediction, residual: Int32Array): number {
  const order = prediction.coefficients.length;
  let sum = 0;
  for (let n = order; n < residual.length; n += 1) sum += Math.abs(residual[n] ?? 0);
  const mean = sum / (residual.length - order);
  const each = Math.log2(1 + 2 * mean);
  return (residual.length - order) * each + order * bitsPerSample + ownBits(prediction);
}

/** The one of those that leaves the least, by the sums of what they leave. */
function bestFixed(samples: Int32Array): LinearPrediction {
  let [sum0, sum1, sum2, sum3, sum4] = [0, 0, 0, 0, 0];
  let [last0, last1, last2, last3] = [0, 0, 0, 0];
  for (let n = 0; n < samples.length; n += 1) {
    const left0 = samples[n] ?? 0;
    const left1 = left0 - last0;
    const left2 = left1 - last1;
    const left3 = left2 - last2;
    const left4 = left3 - last3;
    last0 = left0;
    last1 = left1;
    last2 = left2;
    last3 = left3;
    // The first ones have nothing before them.
    if (n < 4) continue;
    sum0 += Math.abs(left0);
    sum1 += Math.abs(left1);
    sum2 += Math.abs(left2);
    sum3 += Math.abs(left3);
    sum4 += Math.abs(left4);
  }
  const sums = [sum0, sum1, sum2, sum3, sum4];
  const least = sums.indexOf(Math.min(...sums));
  return fixedPredictions[least] ?? { coefficients: [], shift: 0, precision: 0 };
}
