/** A D-Bus value. Arrays and structs are arrays here, and dictionary entries are pairs. */
export type DbusValue = string | number | bigint | boolean | DbusVariant | readonly DbusValue[];

export interface DbusVariant {
  readonly signature: string;
  readonly value: DbusValue;
}

const basicTypeSizes: Readonly<Record<string, number>> = {
  y: 1,
  b: 4,
  n: 2,
  q: 2,
  i: 4,
  u: 4,
  x: 8,
  t: 8,
  d: 8,
};

function alignment(signature: string): number {
  const kind = signature.charAt(0);
  if (kind === '(' || kind === '{') return 8;
  if ('gv'.includes(kind)) return 1;
  return basicTypeSizes[kind] ?? 4;
}

/** Splits a signature into complete types: `sa{sv}` becomes `s` and `a{sv}`. */
export function typesIn(signature: string): readonly string[] {
  const types: string[] = [];
  for (let offset = 0; offset < signature.length;) {
    const end = endOfType(signature, offset, 0);
    types.push(signature.slice(offset, end));
    offset = end;
  }
  return types;
}

function innerSignature(type: string): string {
  return type.startsWith('a') ? type.slice(1) : type.slice(1, -1);
}

const maxDepth = 32;

function endOfType(signature: string, offset: number, depth: number): number {
  const kind = signature.charAt(offset);
  if (depth > maxDepth) throw new RangeError('a D-Bus signature is nested too deeply');
  if (kind === 'a') return endOfType(signature, offset + 1, depth + 1);
  if (kind !== '(' && kind !== '{') {
    if (kind !== '' && 'ybnqiuxtdsogv'.includes(kind)) return offset + 1;
    throw new RangeError(`unknown D-Bus type ${JSON.stringify(signature.slice(offset))}`);
  }
  const close = kind === '(' ? ')' : '}';
  let end = offset + 1;
  while (signature.charAt(end) !== close) end = endOfType(signature, end, depth + 1);
  if (end === offset + 1) throw new RangeError('a D-Bus struct is empty');
  return end + 1;
}

/** The value of a key in a dictionary `a{sv}`, without its variant. */
export function dictionaryValue(
  dictionary: DbusValue | undefined,
  name: string,
): DbusValue | undefined {
  if (!isList(dictionary)) return undefined;
  const entry = dictionary.find((pair) => isList(pair) && pair[0] === name);
  const value = isList(entry) ? entry[1] : undefined;
  return isVariant(value) ? value.value : value;
}

export function asString(value: DbusValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function isList(value: DbusValue | undefined): value is readonly DbusValue[] {
  return Array.isArray(value);
}

function isVariant(value: DbusValue | undefined): value is DbusVariant {
  return typeof value === 'object' && !isList(value);
}

/** Decodes values. A truncated message or unknown type throws a RangeError. */
export class DbusReader {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  /** The sender chooses the byte order, and the bus forwards messages unchanged. */
  readonly #isLittleEndian: boolean;
  #offset = 0;
  /** How deep variants are nested, which the signature does not show. */
  #depth = 0;

  constructor(bytes: Buffer, isLittleEndian: boolean) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#isLittleEndian = isLittleEndian;
  }

  readAll(signature: string): readonly DbusValue[] {
    return typesIn(signature).map((type) => this.#read(type));
  }

  align(to: number): void {
    this.#advance((to - (this.#offset % to)) % to);
  }

  #read(type: string): DbusValue {
    this.align(alignment(type));
    const kind = type.charAt(0);
    if (kind === 'v') return this.#readVariant();
    if (kind === '(' || kind === '{') return this.readAll(innerSignature(type));
    if (kind === 'a') return this.#readArray(innerSignature(type));
    if (kind === 'g') return this.#readText(this.#view.getUint8(this.#advance(1)));
    if (kind === 's' || kind === 'o') return this.#readText(this.#readLength());
    return this.#readNumber(kind);
  }

  #readVariant(): DbusValue {
    const signature = this.#readText(this.#view.getUint8(this.#advance(1)));
    this.#depth += 1;
    if (this.#depth > 32) throw new RangeError('a D-Bus value is nested too deeply');
    const [value, ...others] = this.readAll(signature);
    this.#depth -= 1;
    if (value === undefined || others.length > 0)
      throw new RangeError('a D-Bus variant must hold exactly one value');
    return { signature, value };
  }

  #readArray(element: string): DbusValue {
    const length = this.#readLength();
    this.align(alignment(element));
    const end = this.#offset + length;
    if (end > this.#bytes.length) throw new RangeError('a D-Bus array is truncated');
    const values: DbusValue[] = [];
    while (this.#offset < end) values.push(this.#read(element));
    return values;
  }

  #readText(length: number): string {
    const offset = this.#advance(length + 1);
    return this.#bytes.toString('utf8', offset, offset + length);
  }

  #readLength(): number {
    return this.#view.getUint32(this.#advance(4), this.#isLittleEndian);
  }

  #readNumber(kind: string): DbusValue {
    const [view, isLittleEndian] = [this.#view, this.#isLittleEndian];
    switch (kind) {
      case 'y':
        return view.getUint8(this.#advance(1));
      case 'n':
        return view.getInt16(this.#advance(2), isLittleEndian);
      case 'q':
        return view.getUint16(this.#advance(2), isLittleEndian);
      case 'i':
        return view.getInt32(this.#advance(4), isLittleEndian);
      case 'u':
        return view.getUint32(this.#advance(4), isLittleEndian);
      case 'x':
        return view.getBigInt64(this.#advance(8), isLittleEndian);
      case 't':
        return view.getBigUint64(this.#advance(8), isLittleEndian);
      case 'd':
        return view.getFloat64(this.#advance(8), isLittleEndian);
      default:
        // A boolean, the only type left.
        return view.getUint32(this.#advance(4), isLittleEndian) === 1;
    }
  }

  /** Advances by `length` bytes and returns the previous position. */
  #advance(length: number): number {
    const offset = this.#offset;
    this.#offset += length;
    if (this.#offset > this.#bytes.length) throw new RangeError('a D-Bus message is truncated');
    return offset;
  }
}

/** Encodes values in little-endian order. A value that does not match its type is a bug and throws. */
export class DbusWriter {
  #bytes = Buffer.alloc(256);
  #length = 0;

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  writeAll(signature: string, values: readonly DbusValue[]): void {
    const types = typesIn(signature);
    if (types.length !== values.length) throw typeMismatch(signature, values);
    for (const [index, type] of types.entries()) {
      const value = values[index];
      if (value === undefined) throw typeMismatch(type, value);
      this.#write(type, value);
    }
  }

  align(to: number): void {
    this.#reserve((to - (this.#length % to)) % to);
  }

  #write(type: string, value: DbusValue): void {
    this.align(alignment(type));
    const kind = type.charAt(0);
    if (kind === 'v') this.#writeVariant(value);
    else if (kind === '(' || kind === '{')
      this.writeAll(innerSignature(type), requireList(type, value));
    else if (kind === 'a') this.#writeArray(innerSignature(type), requireList(type, value));
    else if (typeof value === 'string') this.#writeText(kind, value);
    else this.#writeNumber(kind, value);
  }

  #writeVariant(value: DbusValue): void {
    if (typeof value !== 'object' || isList(value)) throw typeMismatch('v', value);
    this.#writeText('g', value.signature);
    this.#write(value.signature, value.value);
  }

  #writeArray(element: string, values: readonly DbusValue[]): void {
    const lengthAt = this.#reserve(4);
    // The array's length excludes the padding before its first element, even if it is empty.
    this.align(alignment(element));
    const begin = this.#length;
    for (const value of values) this.#write(element, value);
    this.#bytes.writeUInt32LE(this.#length - begin, lengthAt);
  }

  #writeText(kind: string, text: string): void {
    const length = Buffer.byteLength(text);
    if (kind === 'g') this.#bytes.writeUInt8(length, this.#reserve(1));
    else if (kind === 's' || kind === 'o') this.#bytes.writeUInt32LE(length, this.#reserve(4));
    else throw typeMismatch(kind, text);
    const offset = this.#reserve(length + 1);
    this.#bytes.write(text, offset, 'utf8');
  }

  #writeNumber(kind: string, value: DbusValue): void {
    if (kind === 'y') this.#bytes.writeUInt8(Number(value), this.#reserve(1));
    else if (kind === 'i') this.#bytes.writeInt32LE(Number(value), this.#reserve(4));
    else if (kind === 'u') this.#bytes.writeUInt32LE(Number(value), this.#reserve(4));
    else if (kind === 'b') this.#bytes.writeUInt32LE(value === true ? 1 : 0, this.#reserve(4));
    else throw typeMismatch(kind, value);
  }

  #reserve(length: number): number {
    const offset = this.#length;
    this.#length += length;
    if (this.#length > this.#bytes.length) {
      this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(this.#length)]);
    }
    return offset;
  }
}

function requireList(type: string, value: DbusValue): readonly DbusValue[] {
  if (!isList(value)) throw typeMismatch(type, value);
  return value;
}

function typeMismatch(type: string, value: unknown): TypeError {
  return new TypeError(`${String(value)} is not a D-Bus value of type ${type}`);
}
