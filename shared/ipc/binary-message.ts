/**
 * Binary framing on the loopback WebSocket, so that pictures need no base64. Layout: the length of the head (32 bits,
 * big-endian), the head (JSON in ASCII), then the bytes of each part. In `message` a null marks each part, and
 * `parts` has its path.
 */
interface Head {
  readonly message: unknown;
  readonly parts: readonly { readonly at: readonly string[]; readonly length: number }[];
}

interface Part {
  readonly path: readonly string[];
  readonly bytes: Uint8Array;
}

const headLengthBytes = 4;
/**
 * The longest head of a message from a page. A page accepts any length from its host, which it trusts and which sends
 * the marks of a whole replay.
 */
const maxPageHeadBytes = 1024 * 1024;
const maxParts = 256;
const maxDepth = 8;

/** Returns JSON text if the message contains no bytes. */
export function packMessage(message: unknown): string | Uint8Array<ArrayBuffer> {
  const parts: Part[] = [];
  const stripped = extractBytes(message, [], parts);
  if (parts.length === 0) return JSON.stringify(message);
  const partHeads = parts.map(({ path: at, bytes }) => ({ at, length: bytes.length }));
  const head = escapeNonAscii(
    JSON.stringify({ message: stripped, parts: partHeads } satisfies Head),
  );
  const size = parts.reduce((sum, { bytes }) => sum + bytes.length, headLengthBytes + head.length);
  const packed = new Uint8Array(size);
  new DataView(packed.buffer).setUint32(0, head.length);
  for (let index = 0; index < head.length; index += 1)
    packed[headLengthBytes + index] = head.charCodeAt(index);
  let offset = headLengthBytes + head.length;
  for (const { bytes } of parts) {
    packed.set(bytes, offset);
    offset += bytes.length;
  }
  return packed;
}

/** Parts become views of `packed`. Undefined if the format is invalid. */
export function unpackMessage(packed: Uint8Array, maxHeadBytes = maxPageHeadBytes): unknown {
  if (packed.length < headLengthBytes) return undefined;
  const headLength = new DataView(packed.buffer, packed.byteOffset).getUint32(0);
  if (headLength > maxHeadBytes || headLengthBytes + headLength > packed.length) return undefined;
  const head = readHead(packed.subarray(headLengthBytes, headLengthBytes + headLength));
  if (head === undefined) return undefined;
  let offset = headLengthBytes + headLength;
  for (const { at, length } of head.parts) {
    if (offset + length > packed.length) return undefined;
    const bytes = new Uint8Array(packed.buffer, packed.byteOffset + offset, length);
    if (!insertBytes(head, ['message', ...at], bytes)) return undefined;
    offset += length;
  }
  return offset === packed.length ? head.message : undefined;
}

/** Copies the value with null in place of bytes. */
function extractBytes(value: unknown, path: readonly string[], parts: Part[]): unknown {
  if (value instanceof Uint8Array) {
    parts.push({ path, bytes: value });
    return null;
  }
  if (Array.isArray(value))
    return value.map((item, index) => extractBytes(item, [...path, `${index}`], parts));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value as Readonly<Record<string, unknown>>);
  return Object.fromEntries(
    entries.map(([key, item]) => [key, extractBytes(item, [...path, key], parts)]),
  );
}

/** Replaces the null at a path. Follows only own properties, so that no message can change a prototype. */
function insertBytes(root: object, path: readonly string[], bytes: Uint8Array): boolean {
  const lastName = path.at(-1);
  let target: object = root;
  for (const name of path.slice(0, -1)) {
    const next: unknown = Object.hasOwn(target, name) ? Reflect.get(target, name) : undefined;
    if (typeof next !== 'object' || next === null || next instanceof Uint8Array) return false;
    target = next;
  }
  if (lastName === undefined || !Object.hasOwn(target, lastName)) return false;
  return Reflect.get(target, lastName) === null && Reflect.set(target, lastName, bytes);
}

function readHead(bytes: Uint8Array): Head | undefined {
  const characters: string[] = [];
  for (const byte of bytes) {
    if (byte > 0x7f) return undefined;
    characters.push(String.fromCharCode(byte));
  }
  try {
    const head: unknown = JSON.parse(characters.join(''));
    return isHead(head) ? head : undefined;
  } catch {
    return undefined;
  }
}

function isHead(head: unknown): head is Head {
  if (typeof head !== 'object' || head === null) return false;
  if (!('message' in head) || !('parts' in head) || !Array.isArray(head.parts)) return false;
  return head.parts.length <= maxParts && head.parts.every(isPart);
}

function isPart(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false;
  if (!('at' in part) || !('length' in part) || !Array.isArray(part.at)) return false;
  const path: readonly unknown[] = part.at;
  return (
    path.length <= maxDepth &&
    path.every((name) => typeof name === 'string') &&
    Number.isInteger(part.length) &&
    Number(part.length) >= 0
  );
}

/** Escapes what is not ASCII, because pure code has no text encoder. */
function escapeNonAscii(json: string): string {
  return json.replaceAll(/[\u0080-\uffff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
