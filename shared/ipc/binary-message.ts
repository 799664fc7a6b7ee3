/**
 * Bytes on the loopback WebSocket, so that a picture needs no base64. A message with bytes in it is
 * binary: the length of a head as 32 bits, big-endian; the head, JSON in ASCII; the bytes of each part
 * in turn. In the head's `message` a null stands where each part belongs, and `parts` says where.
 */
interface Head {
  readonly message: unknown;
  readonly parts: readonly { readonly at: readonly string[]; readonly length: number }[];
}

interface Part {
  readonly at: readonly string[];
  readonly bytes: Uint8Array;
}

const prefix = 4;
const maxHeadBytes = 1024 * 1024;
const maxParts = 256;
const maxDepth = 8;

/** A text where there are no bytes in the message, else one binary message. */
export function packMessage(message: unknown): string | Uint8Array<ArrayBuffer> {
  const parts: Part[] = [];
  const plain = lift(message, [], parts);
  if (parts.length === 0) return JSON.stringify(message);
  const named = parts.map(({ at, bytes }) => ({ at, length: bytes.length }));
  const head = asAscii(JSON.stringify({ message: plain, parts: named } satisfies Head));
  const size = parts.reduce((sum, { bytes }) => sum + bytes.length, prefix + head.length);
  const packed = new Uint8Array(size);
  new DataView(packed.buffer).setUint32(0, head.length);
  for (let at = 0; at < head.length; at += 1) packed[prefix + at] = head.charCodeAt(at);
  let offset = prefix + head.length;
  for (const { bytes } of parts) {
    packed.set(bytes, offset);
    offset += bytes.length;
  }
  return packed;
}

/** The message with its bytes back in their places, as views; nothing where it is no such message. */
export function unpackMessage(packed: Uint8Array): unknown {
  if (packed.length < prefix) return undefined;
  const headLength = new DataView(packed.buffer, packed.byteOffset).getUint32(0);
  if (headLength > maxHeadBytes || prefix + headLength > packed.length) return undefined;
  const head = readHead(packed.subarray(prefix, prefix + headLength));
  if (head === undefined) return undefined;
  let offset = prefix + headLength;
  for (const { at, length } of head.parts) {
    if (offset + length > packed.length) return undefined;
    const bytes = new Uint8Array(packed.buffer, packed.byteOffset + offset, length);
    if (!putBack(head, ['message', ...at], bytes)) return undefined;
    offset += length;
  }
  return offset === packed.length ? head.message : undefined;
}

/** The same value with null where bytes were. */
function lift(value: unknown, at: readonly string[], parts: Part[]): unknown {
  if (value instanceof Uint8Array) {
    parts.push({ at, bytes: value });
    return null;
  }
  if (Array.isArray(value))
    return value.map((item, index) => lift(item, [...at, `${index}`], parts));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value as Readonly<Record<string, unknown>>);
  return Object.fromEntries(entries.map(([key, item]) => [key, lift(item, [...at, key], parts)]));
}

/** Only where a null waits under a name of the object's own, so that nothing else can be reached. */
function putBack(root: object, way: readonly string[], bytes: Uint8Array): boolean {
  const last = way.at(-1);
  let place: object = root;
  for (const name of way.slice(0, -1)) {
    const next: unknown = Object.hasOwn(place, name) ? Reflect.get(place, name) : undefined;
    if (typeof next !== 'object' || next === null || next instanceof Uint8Array) return false;
    place = next;
  }
  if (last === undefined || !Object.hasOwn(place, last)) return false;
  return Reflect.get(place, last) === null && Reflect.set(place, last, bytes);
}

function readHead(bytes: Uint8Array): Head | undefined {
  const letters: string[] = [];
  for (const byte of bytes) {
    if (byte > 0x7f) return undefined;
    letters.push(String.fromCharCode(byte));
  }
  try {
    const head: unknown = JSON.parse(letters.join(''));
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
  const way: readonly unknown[] = part.at;
  return (
    way.length <= maxDepth &&
    way.every((name) => typeof name === 'string') &&
    Number.isInteger(part.length) &&
    Number(part.length) >= 0
  );
}

/** So that the head needs no text codec, which pure code has not. */
function asAscii(json: string): string {
  return json.replaceAll(/[\u0080-\uffff]/g, (letter) => {
    return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
