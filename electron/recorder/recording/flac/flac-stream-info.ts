import { BitReader } from './bit-reader.ts';
import { BitWriter } from './bit-writer.ts';

/** What a FLAC file begins with, as far as we write and read it: 16 bit, and no block but the first. */
export interface FlacStreamInfo {
  readonly rate: number;
  readonly channels: number;
}

/** Samples of each channel in one frame at most: a quarter of a second, which a kill may cost. */
export const maxFlacBlock = 4096;
const signature = 0x66_4c_61_43;
const infoBytes = 34;
/** Its length does not depend on anything, so that it can be written again. */
export const flacHeadBytes = 4 + 4 + infoBytes;

/** @param frames samples of each channel; 0 where that is not known yet */
export function encodeFlacHead({ rate, channels }: FlacStreamInfo, frames: number): Uint8Array {
  const bits = new BitWriter(flacHeadBytes + 1);
  bits.write(signature, 32);
  bits.write(0x80, 8);
  bits.write(infoBytes, 24);
  bits.write(16, 16);
  bits.write(maxFlacBlock, 16);
  // The lengths of frames are not told.
  bits.write(0, 24);
  bits.write(0, 24);
  bits.write(rate, 20);
  bits.write(channels - 1, 3);
  bits.write(15, 5);
  bits.write(Math.floor(frames / 2 ** 32), 4);
  bits.write(frames % 2 ** 32, 32);
  // Nor is the sum of the samples: that of the file stands beside the tape.
  for (let word = 0; word < 4; word += 1) bits.write(0, 32);
  return bits.written;
}

export interface FlacHead extends FlacStreamInfo {
  readonly bitsPerSample: number;
  /** How long its frames are, where all are the same. */
  readonly block: number;
  /** Where its frames begin. */
  readonly framesStart: number;
}

/** Nothing where it is no FLAC, or is cut before its first frame. */
export function readFlacHead(bytes: Uint8Array): FlacHead | undefined {
  const bits = new BitReader(bytes);
  if (bits.read(32) !== signature) return undefined;
  let info: Omit<FlacHead, 'framesStart'> | undefined;
  for (let at = 4; at + 4 <= bytes.length;) {
    const head = new BitReader(bytes, at);
    const [last, kind, length] = [head.read(1), head.read(7), head.read(24)];
    if (kind === 0) {
      const block = new BitReader(bytes, at + 4).read(16);
      const inner = new BitReader(bytes, at + 4 + 10);
      const [rate, channels] = [inner.read(20), inner.read(3) + 1];
      info = { rate, channels, bitsPerSample: inner.read(5) + 1, block };
    }
    at += 4 + length;
    if (last === 1) return info && at <= bytes.length ? { ...info, framesStart: at } : undefined;
  }
  return undefined;
}
