import { BitReader } from './bit-reader.ts';
import { flacFrameCheck, flacHeadCheck } from './flac-checks.ts';
import { addPrediction, fixedPredictions } from './linear-prediction.ts';
import { readRice } from './rice-coding.ts';

/** What a frame of FLAC says of itself. */
export interface FlacFrameHead {
  /** The number of its first sample in the file. */
  readonly first: number;
  readonly length: number;
  readonly channels: number;
  /** Which of two channels is told as a difference. */
  readonly difference: 'none' | 'second' | 'first' | 'both';
  readonly bytes: number;
}

export const maxFlacHeadBytes = 16;

/**
 * Reads what a frame begins with; nothing where it is none. Only 16 bit is read, which is all that a tape has.
 *
 * @param block how long each is where frames are counted instead of samples
 */
export function readFlacFrameHead(
  bytes: Uint8Array,
  at: number,
  block: number,
): FlacFrameHead | undefined {
  if (bytes[at] !== 0xff || ((bytes[at + 1] ?? 0) & 0xfe) !== 0xf8) return undefined;
  const bits = new BitReader(bytes, at + 1);
  const variable = bits.read(8) % 2 === 1;
  const [lengthCode, rateCode, sides, width] = [
    bits.read(4),
    bits.read(4),
    bits.read(4),
    bits.read(3),
  ];
  if (bits.read(1) === 1 || (width !== 4 && width !== 0) || rateCode === 15) return undefined;
  if (lengthCode === 0 || sides > 10) return undefined;
  const number = readNumber(bits);
  const length = readLength(bits, lengthCode);
  if (rateCode >= 12) bits.read(rateCode === 12 ? 8 : 16);
  const end = bits.place;
  const check = bits.read(8);
  if (bits.overrun || number === undefined) return undefined;
  if (flacHeadCheck(bytes.subarray(at, end)) !== check) return undefined;
  return {
    first: variable ? number : number * block,
    length,
    channels: sides < 8 ? sides + 1 : 2,
    difference: differences[sides] ?? 'none',
    bytes: end + 1 - at,
  };
}

const differences: Readonly<Record<number, FlacFrameHead['difference']>> = {
  8: 'second',
  9: 'first',
  10: 'both',
};

function readNumber(bits: BitReader): number | undefined {
  const lead = bits.read(8);
  const ones = Math.clz32(~(lead << 24));
  if (ones === 0) return lead;
  if (ones === 1 || ones > 7) return undefined;
  let number = lead & ((1 << (7 - ones)) - 1);
  for (let more = 1; more < ones; more += 1) number = number * 64 + (bits.read(8) & 0x3f);
  return number;
}

function readLength(bits: BitReader, code: number): number {
  if (code === 1) return 192;
  if (code <= 5) return 576 << (code - 2);
  if (code <= 7) return bits.read(code === 6 ? 8 : 16) + 1;
  return 256 << (code - 8);
}

export interface FlacFrame extends FlacFrameHead {
  readonly samples: readonly Int32Array[];
}

/** The samples of the frame that begins there; nothing where it is not whole. */
export function decodeFlacFrame(
  bytes: Uint8Array,
  at: number,
  block: number,
): FlacFrame | undefined {
  const head = readFlacFrameHead(bytes, at, block);
  if (head === undefined) return undefined;
  const bits = new BitReader(bytes, at + head.bytes);
  const samples: Int32Array[] = [];
  for (let channel = 0; channel < head.channels; channel += 1) {
    const told = head.difference;
    const wider = channel === 1 ? told === 'second' || told === 'both' : told === 'first';
    const side = readChannel(bits, head.length, wider ? 17 : 16);
    if (side === undefined || bits.overrun) return undefined;
    samples.push(side);
  }
  bits.align();
  const end = bits.place;
  const check = bits.read(16);
  if (bits.overrun || flacFrameCheck(bytes.subarray(at, end)) !== check) return undefined;
  undoDifference(samples, head.difference);
  return { ...head, samples, bytes: end + 2 - at };
}

function readChannel(bits: BitReader, length: number, width: number): Int32Array | undefined {
  bits.read(1);
  const kind = bits.read(6);
  const wasted = bits.read(1) === 1 ? bits.readUnary() + 1 : 0;
  const own = width - wasted;
  if (own <= 0) return undefined;
  const samples = new Int32Array(length);
  if (kind === 0) samples.fill(bits.readSigned(own));
  else if (kind === 1) for (let n = 0; n < length; n += 1) samples[n] = bits.readSigned(own);
  else if (!readPredicted(bits, kind, samples, own)) return undefined;
  if (wasted > 0) for (let n = 0; n < length; n += 1) samples[n] = (samples[n] ?? 0) << wasted;
  return samples;
}

function readPredicted(bits: BitReader, kind: number, samples: Int32Array, width: number): boolean {
  const order = kind >= 32 ? kind - 31 : kind - 8;
  if (kind < 8 || (kind < 32 && order > 4) || order > samples.length) return false;
  for (let n = 0; n < order; n += 1) samples[n] = bits.readSigned(width);
  let prediction = fixedPredictions[order];
  if (kind >= 32) {
    const precision = bits.read(4) + 1;
    const shift = bits.readSigned(5);
    if (precision === 16 || shift < 0) return false;
    const coefficients = Array.from({ length: order }, () => bits.readSigned(precision));
    prediction = { coefficients, shift, precision };
  }
  if (prediction === undefined || !readRice(bits, samples, order)) return false;
  addPrediction(samples, prediction);
  return true;
}

function undoDifference(
  [left, right]: readonly Int32Array[],
  told: FlacFrameHead['difference'],
): void {
  if (left === undefined || right === undefined || told === 'none') return;
  for (let n = 0; n < left.length; n += 1) {
    const [first, second] = [left[n] ?? 0, right[n] ?? 0];
    if (told === 'second') right[n] = first - second;
    else if (told === 'first') left[n] = first + second;
    else {
      const middle = first * 2 + (second & 1);
      left[n] = (middle + second) >> 1;
      right[n] = (middle - second) >> 1;
    }
  }
}
