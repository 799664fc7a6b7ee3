/** One file in a zip, as its directory has it. */
export interface ZipEntry {
  readonly name: string;
  readonly method: 'stored' | 'deflated';
  readonly packedBytes: number;
  /** Where its own head begins. */
  readonly headAt: number;
}

const endMark = 0x06054b50;
const entryMark = 0x02014b50;
const endLength = 22;
const entryLength = 46;
const methods: ReadonlyMap<number, ZipEntry['method']> = new Map([
  [0, 'stored'],
  [8, 'deflated'],
]);

/** More than any tape has pictures. */
const maxEntries = 20_000;

/** Where the directory lies, found from the end of the file; nothing where it is no zip that we read. */
export function findZipDirectory(
  tail: Buffer,
): { readonly at: number; readonly bytes: number; readonly entries: number } | undefined {
  for (let at = tail.length - endLength; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== endMark) continue;
    const entries = tail.readUInt16LE(at + 10);
    const bytes = tail.readUInt32LE(at + 12);
    const offset = tail.readUInt32LE(at + 16);
    return entries > maxEntries ? undefined : { at: offset, bytes, entries };
  }
  return undefined;
}

/** What the directory lists; nothing where it is damaged, or has what we do not read. */
export function readZipDirectory(
  directory: Buffer,
  entries: number,
): readonly ZipEntry[] | undefined {
  const found: ZipEntry[] = [];
  let at = 0;
  for (let index = 0; index < entries; index += 1) {
    if (at + entryLength > directory.length) return undefined;
    if (directory.readUInt32LE(at) !== entryMark) return undefined;
    const encrypted = (directory.readUInt16LE(at + 8) & 1) !== 0;
    const method = methods.get(directory.readUInt16LE(at + 10));
    const nameLength = directory.readUInt16LE(at + 28);
    const next =
      at +
      entryLength +
      nameLength +
      directory.readUInt16LE(at + 30) +
      directory.readUInt16LE(at + 32);
    if (encrypted || method === undefined || next > directory.length) return undefined;
    found.push({
      name: directory.toString('utf8', at + entryLength, at + entryLength + nameLength),
      method,
      packedBytes: directory.readUInt32LE(at + 20),
      headAt: directory.readUInt32LE(at + 42),
    });
    at = next;
  }
  return found;
}
