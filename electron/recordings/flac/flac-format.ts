const signature = 0x66_4c_61_43;
const infoBytes = 34;
/** Size of the header that older versions of Parley wrote. */
export const flacHeaderBytes = 4 + 4 + infoBytes;

/** The fields of a FLAC header that the decoder uses. */
export interface FlacHeader {
  readonly rate: number;
  readonly channels: number;
  readonly bitsPerSample: number;
  /** Frame length in samples, for files with fixed-size frames. */
  readonly block: number;
  readonly framesStart: number;
}

/** Reads the header; undefined if the bytes are not FLAC or end before the first frame. */
export function readFlacHeader(bytes: Uint8Array): FlacHeader | undefined {
  const bits = new BitReader(bytes);
  if (bits.read(32) !== signature) return undefined;
  let info: Omit<FlacHeader, 'framesStart'> | undefined;
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
    let remainder = byte << (bits - 8);
    for (let bit = 0; bit < 8; bit += 1)
      remainder = (remainder & top) === 0 ? remainder << 1 : (remainder << 1) ^ polynomial;
    return remainder & ((1 << bits) - 1);
  });
}

const headTable = table(0x07, 8);
const frameTable = table(0x80_05, 16);

/** CRC-8 of a frame's header. */
export function flacHeaderCrc(bytes: Uint8Array): number {
  let check = 0;
  for (const byte of bytes) check = headTable[check ^ byte] ?? 0;
  return check;
}

/** CRC-16 of a frame. */
export function flacFrameCrc(bytes: Uint8Array): number {
  let check = 0;
  for (const byte of bytes)
    check = ((check << 8) & 0xff_ff) ^ (frameTable[(check >>> 8) ^ byte] ?? 0);
  return check;
}

/** Reads bits, most significant first. Past the end it reads zeros and sets `overrun`. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array, from = 0) {
    this.#bytes = bytes;
    this.#at = from * 8;
  }

  /** Reads up to 32 bits as an unsigned number. */
  read(bits: number): number {
    let value = 0;
    for (let remaining = bits; remaining > 0;) {
      const within = this.#at & 7;
      const count = Math.min(8 - within, remaining);
      const byte = this.#bytes[this.#at >>> 3] ?? 0;
      value = value * (1 << count) + ((byte >>> (8 - within - count)) & ((1 << count) - 1));
      this.#at += count;
      remaining -= count;
    }
    return value;
  }

  readSigned(bits: number): number {
    const value = this.read(bits);
    return value >= 2 ** (bits - 1) ? value - 2 ** bits : value;
  }

  /** Reads zeros and the set bit after them; returns the number of zeros. */
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

  get byteOffset(): number {
    return this.#at >>> 3;
  }

  get overrun(): boolean {
    return this.#at > this.#bytes.length * 8;
  }
}
