import type { ReadableFile } from '../../../shared/ports/files.ts';
import { BitReader, flacFrameCrc, type FlacHeader, flacHeaderCrc } from './flac-format.ts';

const blockBytes = 1024 * 1024;
/** A 16-bit frame of up to four channels is shorter. */
const maxFrameBytes = 600_000;
/** Longest run of bytes without a frame that is skipped. A full disk can leave zeros in the middle of a file. */
const maxJunkBytes = 64 * 1024 * 1024;
const maxFrames = 4_000_000;

/** Random access to the samples of a FLAC file. Ignores the header's frame sizes and total, which may be wrong. */
export class FlacTrack {
  readonly #file: Pick<ReadableFile, 'readNow' | 'size'>;
  readonly #head: FlacHeader;
  /** Number of samples, gaps included. */
  readonly samples: number;
  readonly #firsts: number[] = [];
  readonly #offsets: number[] = [];
  #cached: { readonly index: number; readonly frame: FlacFrame | undefined } | undefined;

  /** @param maxSamples the index ends before the first frame beyond this */
  constructor(file: Pick<ReadableFile, 'readNow' | 'size'>, head: FlacHeader, maxSamples: number) {
    this.#file = file;
    this.#head = head;
    this.#findFrames(maxSamples);
    this.samples = this.#dropCutFrames();
  }

  /** Copies samples into the block; missing samples stay as they are. */
  read(from: number, into: Float32Array): void {
    const end = Math.min(from + into.length, this.samples);
    for (let index = this.#frameAt(from); index < this.#firsts.length; index += 1) {
      const first = this.#firsts[index] ?? end;
      if (first >= end) return;
      const samples = this.#frame(index)?.samples[0];
      if (samples === undefined) continue;
      const begin = Math.max(0, from - first);
      const until = Math.min(samples.length, end - first);
      for (let n = begin; n < until; n += 1) into[first + n - from] = (samples[n] ?? 0) / 32_768;
    }
  }

  /** Removes incomplete frames at the end, and returns the number of samples. */
  #dropCutFrames(): number {
    for (let last = this.#firsts.length - 1; last >= 0; last -= 1) {
      const frame = this.#frame(last);
      if (frame !== undefined) return frame.first + frame.length;
      this.#firsts.pop();
      this.#offsets.pop();
      this.#cached = undefined;
    }
    return 0;
  }

  #findFrames(maxSamples: number): void {
    let next = 0;
    let frameOffset = this.#head.framesStart;
    for (let start = frameOffset; start < this.#file.size; start += blockBytes) {
      // A frame header may span two blocks.
      const read = this.#file.readNow(start, blockBytes + maxFlacHeaderBytes);
      if (!read.ok || start - frameOffset > maxJunkBytes) return;
      const bytes = read.value;
      for (let at = bytes.indexOf(0xff); at !== -1 && at < blockBytes;) {
        const head = readFlacFrameHeader(bytes, at, this.#head.block);
        const known =
          head !== undefined && (head.first === next || this.#isFrame(start + at, next));
        if (known) {
          if (head.first + head.length > maxSamples || this.#firsts.length >= maxFrames) return;
          this.#firsts.push(head.first);
          this.#offsets.push(start + at);
          next = head.first + head.length;
          frameOffset = start + at;
        }
        at = bytes.indexOf(0xff, at + (known ? head.bytes : 1));
      }
    }
  }

  /** Decodes a frame to learn whether it is one, because after a gap other bytes can look like a header. */
  #isFrame(offset: number, next: number): boolean {
    const read = this.#file.readNow(offset, maxFrameBytes);
    const frame = read.ok ? decodeFlacFrame(read.value, 0, this.#head.block) : undefined;
    return frame !== undefined && frame.first >= next;
  }

  /** Last frame that begins at or before this sample. */
  #frameAt(sample: number): number {
    let [low, high] = [0, this.#firsts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#firsts[middle] ?? 0) <= sample) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Caches one frame, because sound is read in order. */
  #frame(index: number): FlacFrame | undefined {
    if (this.#cached?.index === index) return this.#cached.frame;
    const offset = this.#offsets[index] ?? this.#file.size;
    const end = this.#offsets[index + 1] ?? this.#file.size;
    const read = this.#file.readNow(offset, Math.min(end - offset, maxFrameBytes));
    const frame = read.ok ? decodeFlacFrame(read.value, 0, this.#head.block) : undefined;
    this.#cached = { index, frame };
    return frame;
  }
}

export interface FlacFrameHeader {
  /** Index of the frame's first sample in the file. */
  readonly first: number;
  readonly length: number;
  readonly channels: number;
  /** Which of two channels holds their difference. `mid`: the second does, and the first holds their mean. */
  readonly difference: 'none' | 'second' | 'first' | 'mid';
  readonly bytes: number;
}

export const maxFlacHeaderBytes = 16;

/**
 * Parses a frame header; undefined if there is none. Reads 16-bit frames only, the one depth tapes
 * use.
 *
 * @param block frame length, for files that number frames instead of samples
 */
export function readFlacFrameHeader(
  bytes: Uint8Array,
  at: number,
  block: number,
): FlacFrameHeader | undefined {
  if (bytes[at] !== 0xff || ((bytes[at + 1] ?? 0) & 0xfe) !== 0xf8) return undefined;
  const bits = new BitReader(bytes, at + 1);
  const variable = bits.read(8) % 2 === 1;
  const [lengthCode, rateCode, channelCode, width] = [
    bits.read(4),
    bits.read(4),
    bits.read(4),
    bits.read(3),
  ];
  if (bits.read(1) === 1 || (width !== 4 && width !== 0) || rateCode === 15) return undefined;
  if (lengthCode === 0 || channelCode > 10) return undefined;
  const number = readNumber(bits);
  const length = readLength(bits, lengthCode);
  if (rateCode >= 12) bits.read(rateCode === 12 ? 8 : 16);
  const end = bits.byteOffset;
  const check = bits.read(8);
  if (bits.overrun || number === undefined) return undefined;
  if (flacHeaderCrc(bytes.subarray(at, end)) !== check) return undefined;
  return {
    first: variable ? number : number * block,
    length,
    channels: channelCode < 8 ? channelCode + 1 : 2,
    difference: differences[channelCode] ?? 'none',
    bytes: end + 1 - at,
  };
}

const differences: Readonly<Record<number, FlacFrameHeader['difference']>> = {
  8: 'second',
  9: 'first',
  10: 'mid',
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

interface FlacFrame extends FlacFrameHeader {
  readonly samples: readonly Int32Array[];
}

/** Decodes the frame at this offset; undefined if it is incomplete or damaged. */
export function decodeFlacFrame(
  bytes: Uint8Array,
  at: number,
  block: number,
): FlacFrame | undefined {
  const head = readFlacFrameHeader(bytes, at, block);
  if (head === undefined) return undefined;
  const bits = new BitReader(bytes, at + head.bytes);
  const samples: Int32Array[] = [];
  for (let channel = 0; channel < head.channels; channel += 1) {
    const difference = head.difference;
    const wider =
      channel === 1 ? difference === 'second' || difference === 'mid' : difference === 'first';
    const side = readChannel(bits, head.length, wider ? 17 : 16);
    if (side === undefined || bits.overrun) return undefined;
    samples.push(side);
  }
  bits.align();
  const end = bits.byteOffset;
  const check = bits.read(16);
  if (bits.overrun || flacFrameCrc(bytes.subarray(at, end)) !== check) return undefined;
  undoDifference(samples, head.difference);
  return { ...head, samples, bytes: end + 2 - at };
}

function readChannel(bits: BitReader, length: number, width: number): Int32Array | undefined {
  bits.read(1);
  const kind = bits.read(6);
  const wastedBits = bits.read(1) === 1 ? bits.readUnary() + 1 : 0;
  const sampleBits = width - wastedBits;
  if (sampleBits <= 0) return undefined;
  const samples = new Int32Array(length);
  if (kind === 0) samples.fill(bits.readSigned(sampleBits));
  else if (kind === 1) for (let n = 0; n < length; n += 1) samples[n] = bits.readSigned(sampleBits);
  else if (!readPredicted(bits, kind, samples, sampleBits)) return undefined;
  if (wastedBits > 0)
    for (let n = 0; n < length; n += 1) samples[n] = (samples[n] ?? 0) << wastedBits;
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
    prediction = { coefficients, shift };
  }
  if (prediction === undefined || !readRice(bits, samples, order)) return false;
  addPrediction(samples, prediction);
  return true;
}

function undoDifference(
  [left, right]: readonly Int32Array[],
  difference: FlacFrameHeader['difference'],
): void {
  if (left === undefined || right === undefined || difference === 'none') return;
  for (let n = 0; n < left.length; n += 1) {
    const [first, second] = [left[n] ?? 0, right[n] ?? 0];
    if (difference === 'second') right[n] = first - second;
    else if (difference === 'first') left[n] = first + second;
    else {
      const middle = first * 2 + (second & 1);
      left[n] = (middle + second) >> 1;
      right[n] = (middle - second) >> 1;
    }
  }
}

/** Reads a Rice-coded residual; false if it is invalid. */
function readRice(bits: BitReader, residual: Int32Array, predictorOrder: number): boolean {
  const method = bits.read(2);
  const order = bits.read(4);
  const partLength = residual.length >> order;
  if (method > 1 || partLength << order !== residual.length || partLength < predictorOrder)
    return false;
  const width = method === 0 ? 4 : 5;
  const escape = method === 0 ? 15 : 31;
  for (let part = 0; part < 1 << order; part += 1) {
    const parameter = bits.read(width);
    const plain = parameter === escape ? bits.read(5) : undefined;
    const end = (part + 1) * partLength;
    for (let n = part === 0 ? predictorOrder : part * partLength; n < end; n += 1) {
      if (bits.overrun) return false;
      if (plain !== undefined) residual[n] = plain === 0 ? 0 : bits.readSigned(plain);
      else {
        const value = bits.readUnary() * 2 ** parameter + bits.read(parameter);
        residual[n] = value % 2 === 0 ? value / 2 : -(value + 1) / 2;
      }
    }
  }
  return true;
}

/** Predicts a sample from the ones before it: a sum of products, shifted right. */
interface LinearPrediction {
  /** Most recent sample first. */
  readonly coefficients: readonly number[];
  readonly shift: number;
}

/** Restores the samples from the residual, in place. */
function addPrediction(residual: Int32Array, { coefficients, shift }: LinearPrediction): void {
  const order = coefficients.length;
  for (let n = order; n < residual.length; n += 1) {
    let sum = 0;
    for (let at = 0; at < order; at += 1)
      sum += (coefficients[at] ?? 0) * (residual[n - 1 - at] ?? 0);
    residual[n] = (residual[n] ?? 0) + Math.floor(sum / 2 ** shift);
  }
}

/** FLAC's fixed predictors: polynomials through the previous samples, by order. */
const fixedPredictions: readonly LinearPrediction[] = [
  [],
  [1],
  [2, -1],
  [3, -3, 1],
  [4, -6, 4, -1],
].map((coefficients) => ({ coefficients, shift: 0 }));
