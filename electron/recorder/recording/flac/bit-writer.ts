/** Bits one after the other, the highest first, into bytes. */
export class BitWriter {
  readonly #bytes: Uint8Array;
  #at = 0;
  /** Fewer than eight, that fill no byte yet. */
  #rest = 0;
  #held = 0;

  /** @param room more bytes than will be written */
  constructor(room: number) {
    this.#bytes = new Uint8Array(room);
  }

  /** The lowest bits of a number, at most 32. */
  write(value: number, bits: number): void {
    if (bits > 16) {
      this.write(value >>> 16, bits - 16);
      this.write(value & 0xff_ff, 16);
      return;
    }
    this.#rest = (this.#rest << bits) | (value & ((1 << bits) - 1));
    this.#held += bits;
    while (this.#held >= 8) {
      this.#held -= 8;
      this.#bytes[this.#at] = this.#rest >>> this.#held;
      this.#at += 1;
    }
    this.#rest &= (1 << this.#held) - 1;
  }

  /** As many zeros, and a one. */
  writeUnary(zeros: number): void {
    let left = zeros;
    for (; left >= 16; left -= 16) this.write(0, 16);
    this.write(1, left + 1);
  }

  /** Fills the last byte with zeros. */
  align(): void {
    if (this.#held > 0) this.write(0, 8 - this.#held);
  }

  /** The whole bytes so far. */
  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }
}
