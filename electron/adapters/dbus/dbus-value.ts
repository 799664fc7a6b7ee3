/** A value on the bus: arrays and structs are arrays here, and an entry of a dictionary is a pair. */
export type DbusValue = string | number | bigint | boolean | DbusVariant | readonly DbusValue[];

/** A value that brings its own type along. */
export interface DbusVariant {
  readonly signature: string;
  readonly value: DbusValue;
}

const lengthOfBasic: Readonly<Record<string, number>> = {
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

/** To which multiple of bytes a value of this type begins. */
export function alignmentOf(signature: string): number {
  const kind = signature.charAt(0);
  if (kind === '(' || kind === '{') return 8;
  if ('gv'.includes(kind)) return 1;
  return lengthOfBasic[kind] ?? 4;
}

/** The complete types that a signature is made of: `sa{sv}` is `s` and `a{sv}`. */
export function typesIn(signature: string): readonly string[] {
  const types: string[] = [];
  for (let at = 0; at < signature.length;) {
    const end = endOfType(signature, at, 0);
    types.push(signature.slice(at, end));
    at = end;
  }
  return types;
}

/** Of an array, struct or entry: what stands inside. */
export function innerSignature(type: string): string {
  return type.startsWith('a') ? type.slice(1) : type.slice(1, -1);
}

/** As deep as the specification allows. */
const maxDepth = 32;

function endOfType(signature: string, at: number, depth: number): number {
  const kind = signature.charAt(at);
  if (depth > maxDepth) throw new RangeError('a type on the bus is nested too deeply');
  if (kind === 'a') return endOfType(signature, at + 1, depth + 1);
  if (kind !== '(' && kind !== '{') {
    if (kind !== '' && 'ybnqiuxtdsogv'.includes(kind)) return at + 1;
    throw new RangeError(`the bus knows no type ${JSON.stringify(signature.slice(at))}`);
  }
  const close = kind === '(' ? ')' : '}';
  let end = at + 1;
  while (signature.charAt(end) !== close) end = endOfType(signature, end, depth + 1);
  if (end === at + 1) throw new RangeError('a struct on the bus is empty');
  return end + 1;
}

/** The value under a name in a dictionary `a{sv}`, without its variant. */
export function entryOf(dictionary: DbusValue | undefined, name: string): DbusValue | undefined {
  if (!isList(dictionary)) return undefined;
  const entry = dictionary.find((pair) => isList(pair) && pair[0] === name);
  const value = isList(entry) ? entry[1] : undefined;
  return isVariant(value) ? value.value : value;
}

/** A text, or none. */
export function textOf(value: DbusValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function isList(value: DbusValue | undefined): value is readonly DbusValue[] {
  return Array.isArray(value);
}

function isVariant(value: DbusValue | undefined): value is DbusVariant {
  return typeof value === 'object' && !isList(value);
}
