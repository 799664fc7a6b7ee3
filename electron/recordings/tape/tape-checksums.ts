import type { Files, FileWriter, StartDigest } from '../../../shared/ports/files.ts';
import { isJsonObject, type JsonValue, parseJsonObject } from '../../../shared/protocol/json.ts';
import { decodeUtf8 } from './parse-tape.ts';
import { isPlainName } from './tape-media.ts';
import { tapeFiles, tapeLimits } from './tape.ts';

/** Of one file, as it was when it was closed. */
interface FileChecksum {
  readonly bytes: number;
  /** How many of its first bytes were taken last: the length in a WAV file stands there, and is written until the end. */
  readonly headLast: number;
  readonly sha256: string;
}

const noHead = new Uint8Array();

/** The checksums of a tape's files, taken of what is written to them while it is: nothing is read again. */
export class TapeChecksums {
  readonly #start: StartDigest;
  readonly #files = new Map<string, () => FileChecksum>();

  constructor(start: StartDigest) {
    this.#start = start;
  }

  /** The same file, with all that is written to it counted. What a sound file begins with may be written again. */
  watch(name: string, kind: 'text' | 'sound', file: FileWriter): FileWriter {
    const digest = this.#start();
    let head: Uint8Array | undefined = kind === 'text' ? noHead : undefined;
    this.#files.set(name, () => {
      const { length: headLast } = head ?? noHead;
      digest.update(head ?? noHead);
      return { bytes: digest.bytes(), headLast, sha256: digest.hex() };
    });
    return {
      ...file,
      append: (bytes) => {
        if (head === undefined && typeof bytes !== 'string') head = bytes.slice();
        else digest.update(bytes);
        file.append(bytes);
      },
      writeAt: (offset, bytes) => {
        if (head !== undefined && offset + bytes.length <= head.length) head.set(bytes, offset);
        else this.forget(name);
        file.writeAt(offset, bytes);
      },
    };
  }

  /** A file that is written once and whole. */
  whole(name: string, bytes: Uint8Array): void {
    const digest = this.#start();
    digest.update(bytes);
    const checksum = { bytes: bytes.length, headLast: 0, sha256: digest.hex() };
    this.#files.set(name, () => checksum);
  }

  /** Something could not be written to it: nobody knows what stands there now. */
  forget(name: string): void {
    this.#files.delete(name);
  }

  /** What stands beside the tape; once, when everything was written. */
  text(): string {
    const files = Object.fromEntries([...this.#files].map(([name, result]) => [name, result()]));
    return `${JSON.stringify({ format: 'parley-checksums', version: 1, files }, null, 1)}\n`;
  }
}

interface Deps {
  readonly files: Pick<Files, 'openToRead'>;
  readonly digest: StartDigest;
}

/**
 * The files of a tape that are not what its recorder wrote; nothing where it left no checksums, as where it was killed. They
 * tell what was edited or went bad: whoever means harm writes them anew as well.
 */
export async function changedFiles(
  folder: string,
  { files, digest }: Deps,
): Promise<readonly string[] | undefined> {
  const own = files.openToRead(`${folder}/${tapeFiles.checksums}`);
  if (!own.ok) return own.error.code === 'fileGone' ? undefined : [tapeFiles.checksums];
  const read = own.value.readNow(0, tapeLimits.checksumBytes);
  own.value.close();
  const checksums = read.ok ? readChecksums(decodeUtf8(read.value) ?? '') : undefined;
  if (checksums === undefined) return [tapeFiles.checksums];
  const changed: string[] = [];
  let room: number = tapeLimits.soundBytes;
  for (const [name, checksum] of checksums) {
    room -= checksum.bytes;
    const same = room >= 0 && (await isSame(`${folder}/${name}`, checksum, { files, digest }));
    if (!same) changed.push(name);
  }
  return changed;
}

const blockBytes = 1024 * 1024;

async function isSame(
  path: string,
  { bytes, headLast, sha256 }: FileChecksum,
  { files, digest }: Deps,
): Promise<boolean> {
  const opened = files.openToRead(path);
  if (!opened.ok) return false;
  const file = opened.value;
  try {
    // Whatever has another length need not be read.
    if (file.size !== bytes) return false;
    const sum = digest();
    const head = file.readNow(0, headLast);
    for (let offset = headLast; offset < bytes;) {
      const block = await file.read(offset, Math.min(blockBytes, bytes - offset));
      if (!block.ok || block.value.length === 0) return false;
      sum.update(block.value);
      offset += block.value.length;
    }
    if (!head.ok) return false;
    sum.update(head.value);
    return sum.hex() === sha256;
  } finally {
    file.close();
  }
}

type NamedChecksum = readonly [name: string, checksum: FileChecksum];

/** Nothing where they are none of ours. */
function readChecksums(text: string): readonly NamedChecksum[] | undefined {
  const found = parseJsonObject(text);
  if (found?.['format'] !== 'parley-checksums' || found['version'] !== 1) return undefined;
  const { files } = found;
  if (!isJsonObject(files)) return undefined;
  const checksums: NamedChecksum[] = [];
  for (const [name, value] of Object.entries(files)) {
    const checksum = readChecksum(value);
    if (checksum === undefined || !isPlainName(name)) return undefined;
    checksums.push([name, checksum]);
  }
  return checksums;
}

function readChecksum(value: JsonValue): FileChecksum | undefined {
  if (!isJsonObject(value)) return undefined;
  const { bytes, headLast, sha256 } = value;
  return isLength(bytes) && isLength(headLast) && headLast <= 4096 && typeof sha256 === 'string'
    ? { bytes, headLast, sha256 }
    : undefined;
}

function isLength(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
