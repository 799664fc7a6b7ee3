import { alignmentOf, innerSignature, isList, typesIn } from './dbus-value.ts';
import type { DbusValue } from './dbus-value.ts';

/** Lays values out as the bus wants them, little end first. What does not fit its type is a bug, and throws. */
export class DbusWriter {
  #bytes = Buffer.alloc(256);
  #length = 0;

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Several values of a signature with as many types. */
  writeAll(signature: string, values: readonly DbusValue[]): void {
    const types = typesIn(signature);
    if (types.length !== values.length) throw unfit(signature, values);
    for (const [index, type] of types.entries()) {
      const value = values[index];
      if (value === undefined) throw unfit(type, value);
      this.#write(type, value);
    }
  }

  align(to: number): void {
    this.#reserve((to - (this.#length % to)) % to);
  }

  #write(type: string, value: DbusValue): void {
    this.align(alignmentOf(type));
    const kind = type.charAt(0);
    if (kind === 'v') this.#writeVariant(value);
    else if (kind === '(' || kind === '{') this.writeAll(innerSignature(type), list(type, value));
    else if (kind === 'a') this.#writeArray(innerSignature(type), list(type, value));
    else if (typeof value === 'string') this.#writeText(kind, value);
    else this.#writeNumber(kind, value);
  }

  #writeVariant(value: DbusValue): void {
    if (typeof value !== 'object' || isList(value)) throw unfit('v', value);
    this.#writeText('g', value.signature);
    this.#write(value.signature, value.value);
  }

  #writeArray(element: string, values: readonly DbusValue[]): void {
    const lengthAt = this.#reserve(4);
    // Padding before the first element is no part of the length, also where there is none.
    this.align(alignmentOf(element));
    const begin = this.#length;
    for (const value of values) this.#write(element, value);
    this.#bytes.writeUInt32LE(this.#length - begin, lengthAt);
  }

  #writeText(kind: string, text: string): void {
    const length = Buffer.byteLength(text);
    if (kind === 'g') this.#bytes.writeUInt8(length, this.#reserve(1));
    else if (kind === 's' || kind === 'o') this.#bytes.writeUInt32LE(length, this.#reserve(4));
    else throw unfit(kind, text);
    const at = this.#reserve(length + 1);
    this.#bytes.write(text, at, 'utf8');
  }

  #writeNumber(kind: string, value: DbusValue): void {
    if (kind === 'y') this.#bytes.writeUInt8(Number(value), this.#reserve(1));
    else if (kind === 'u') this.#bytes.writeUInt32LE(Number(value), this.#reserve(4));
    else if (kind === 'b') this.#bytes.writeUInt32LE(value === true ? 1 : 0, this.#reserve(4));
    else throw unfit(kind, value);
  }

  /** Room for so many bytes, all zero, and where it begins. */
  #reserve(length: number): number {
    const at = this.#length;
    this.#length += length;
    if (this.#length > this.#bytes.length) {
      this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(this.#length)]);
    }
    return at;
  }
}

function list(type: string, value: DbusValue): readonly DbusValue[] {
  if (!isList(value)) throw unfit(type, value);
  return value;
}

function unfit(type: string, value: unknown): TypeError {
  return new TypeError(`${String(value)} is no ${type} for the bus`);
}
