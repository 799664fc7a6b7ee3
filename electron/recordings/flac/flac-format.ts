const signature = 0x66_4c_61_43;
const infoBytes = 34;
/** Of the files that older versions wrote. */
export const flacHeadBytes = 4 + 4 + infoBytes;

/** What a FLAC file begins with, as far as we read it. */
export interface FlacHead {
  readonly rate: number;
  readonly channels: number;
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

function table(polynomial: number, bits: number): Uint16Array {
  const top = 1 << (bits - 1);
  return Uint16Array.from({ length: 256 }, (_none, byte) => {
    let rest = byte << (bits - 8);
    for (let bit = 0; bit < 8; bit += 1)
      rest = (rest & top) === 0 ? rest << 1 : (rest << 1) ^ polynomial;
    return rest & ((1 << bits) - 1);
  });
}

const headTable = table(0x07, 8);
const frameTable = table(0x80_05, 16);

/** What stands at the end of a frame's header. */
export function flacHeadCheck(bytes: Uint8Array): number {
  let check = 0;
  for (const byte of bytes) check = headTable[check ^ byte] ?? 0;
  return check;
}

/** What stands at the end of a frame. */
export function flacFrameCheck(bytes: Uint8Array): number {
  let check = 0;
  for (const byte of bytes)
    check = ((check << 8) & 0xff_ff) ^ (frameTable[(check >>> 8) ^ byte] ?? 0);
  return check;
}

/** Reads bits, the highest first. Beyond the end there are zeros, and `overrun` says so. */
export class BitReader {
  readonly #bytes: Uint8Array;
  /** The next bit. */
  #at: number;

  constructor(bytes: Uint8Array, from = 0) {
    this.#bytes = bytes;
    this.#at = from * 8;
  }

  /** At most 32, as a number without a sign. */
  read(bits: number): number {
    let value = 0;
    for (let left = bits; left > 0;) {
      const within = this.#at & 7;
      const taken = Math.min(8 - within, left);
      const byte = this.#bytes[this.#at >>> 3] ?? 0;
      value = value * (1 << taken) + ((byte >>> (8 - within - taken)) & ((1 << taken) - 1));
      this.#at += taken;
      left -= taken;
    }
    return value;
  }

  readSigned(bits: number): number {
    const value = this.read(bits);
    return value >= 2 ** (bits - 1) ? value - 2 ** bits : value;
  }

  /** How many zeros stand before the next one. */
  readUnary(): number {
    let zeros = 0;
    while (!this.overrun) {
      const within = this.#at & 7;
      const byte = ((this.#bytes[this.#at >>> 3] ?? 0) << within) & 0xff;
      if (byte !== 0) {
        const more = Math.clz32(byte) - 24;
        this.#at += more + 1;
        return zeros + more;
      }
      zeros += 8 - within;
      this.#at += 8 - within;
    }
    return zeros;
  }

  align(): void {
    this.#at = (this.#at + 7) & ~7;
  }

  /** The byte that the next bit stands in. */
  get place(): number {
    return this.#at >>> 3;
  }

  get overrun(): boolean {
    return this.#at > this.#bytes.length * 8;
  }
}
