import { alignmentOf, innerSignature, typesIn } from './dbus-value.ts';
import type { DbusValue } from './dbus-value.ts';

/** Reads values as the bus lays them out. What ends too early or is of no known type throws a RangeError. */
export class DbusReader {
  readonly #bytes: Buffer;
  /** Who sends chooses which end of a number comes first, and the bus passes it on as it is. */
  readonly #view: DataView;
  readonly #littleEnd: boolean;
  #at = 0;
  /** Variants within variants have a depth that no signature tells. */
  #depth = 0;

  constructor(bytes: Buffer, littleEnd: boolean) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#littleEnd = littleEnd;
  }

  readAll(signature: string): readonly DbusValue[] {
    return typesIn(signature).map((type) => this.#read(type));
  }

  align(to: number): void {
    this.#take((to - (this.#at % to)) % to);
  }

  #read(type: string): DbusValue {
    this.align(alignmentOf(type));
    const kind = type.charAt(0);
    if (kind === 'v') return this.#readVariant();
    if (kind === '(' || kind === '{') return this.readAll(innerSignature(type));
    if (kind === 'a') return this.#readArray(innerSignature(type));
    if (kind === 'g') return this.#readText(this.#view.getUint8(this.#take(1)));
    if (kind === 's' || kind === 'o') return this.#readText(this.#readLength());
    return this.#readNumber(kind);
  }

  #readVariant(): DbusValue {
    const signature = this.#readText(this.#view.getUint8(this.#take(1)));
    this.#depth += 1;
    if (this.#depth > 32) throw new RangeError('a value on the bus is nested too deeply');
    const [value, ...more] = this.readAll(signature);
    this.#depth -= 1;
    if (value === undefined || more.length > 0) throw new RangeError('a variant holds one value');
    return { signature, value };
  }

  #readArray(element: string): DbusValue {
    const length = this.#readLength();
    this.align(alignmentOf(element));
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError('an array on the bus ends too early');
    const values: DbusValue[] = [];
    while (this.#at < end) values.push(this.#read(element));
    return values;
  }

  #readText(length: number): string {
    const at = this.#take(length + 1);
    return this.#bytes.toString('utf8', at, at + length);
  }

  #readLength(): number {
    return this.#view.getUint32(this.#take(4), this.#littleEnd);
  }

  #readNumber(kind: string): DbusValue {
    const [view, little] = [this.#view, this.#littleEnd];
    switch (kind) {
      case 'y':
        return view.getUint8(this.#take(1));
      case 'n':
        return view.getInt16(this.#take(2), little);
      case 'q':
        return view.getUint16(this.#take(2), little);
      case 'i':
        return view.getInt32(this.#take(4), little);
      case 'u':
        return view.getUint32(this.#take(4), little);
      case 'x':
        return view.getBigInt64(this.#take(8), little);
      case 't':
        return view.getBigUint64(this.#take(8), little);
      case 'd':
        return view.getFloat64(this.#take(8), little);
      default:
        // The only one that is left, because types were told apart by their signature.
        return view.getUint32(this.#take(4), little) === 1;
    }
  }

  /** Steps over so many bytes, and says where they begin. */
  #take(length: number): number {
    const at = this.#at;
    this.#at += length;
    if (this.#at > this.#bytes.length) throw new RangeError('a message of the bus ends too early');
    return at;
  }
}
