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
