import type { Files, FileWriter, StartDigest } from '../../../shared/ports/files.ts';
import { isJsonObject, type JsonValue, parseJsonObject } from '../../../shared/protocol/json.ts';
import { decodeUtf8, isCount, isPlainName } from './parse-tape.ts';
import { tapeFiles, tapeLimits } from './tape.ts';

interface FileChecksum {
  readonly bytes: number;
  /** Bytes at the start that are digested last: a WAV header changes until the file is closed. */
  readonly headLast: number;
  readonly sha256: string;
}

const noHead = new Uint8Array();

/** Computes checksums while files are written, so that nothing is read again. */
export class TapeChecksums {
  readonly #start: StartDigest;
  readonly #files = new Map<string, () => FileChecksum>();

  constructor(start: StartDigest) {
    this.#start = start;
  }

  /** Wraps a file so that everything written to it is digested. The header of a sound file may be rewritten. */
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

  /** Adds a file whose whole content is known. */
  addContent(name: string, bytes: Uint8Array): void {
    const digest = this.#start();
    digest.update(bytes);
    const checksum = { bytes: bytes.length, headLast: 0, sha256: digest.hex() };
    this.#files.set(name, () => checksum);
  }

  /** After a failed write the file's content is unknown. */
  forget(name: string): void {
    this.#files.delete(name);
  }

  /** Content of the checksum file. Call it once, after the last write. */
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
 * Files that differ from what the recorder wrote, or are too large to check; undefined without
 * checksums, as after a kill.
 * The checksums detect edits and bit rot, but not an attacker, who can rewrite the checksums.
 */
export async function findChangedFiles(
  folder: string,
  { files, digest }: Deps,
): Promise<readonly string[] | undefined> {
  const listFile = files.openToRead(`${folder}/${tapeFiles.checksums}`);
  if (!listFile.ok) return listFile.error.code === 'fileGone' ? undefined : [tapeFiles.checksums];
  const read = listFile.value.readNow(0, tapeLimits.checksumBytes);
  listFile.value.close();
  const checksums = read.ok ? readChecksums(decodeUtf8(read.value) ?? '') : undefined;
  if (checksums === undefined) return [tapeFiles.checksums];
  const changed: string[] = [];
  let remainingBytes: number = tapeLimits.soundBytes;
  for (const [name, checksum] of checksums) {
    remainingBytes -= checksum.bytes;
    const isUnchanged =
      remainingBytes >= 0 && (await isSame(`${folder}/${name}`, checksum, { files, digest }));
    if (!isUnchanged) changed.push(name);
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
  return isCount(bytes) && isCount(headLast) && headLast <= 4096 && typeof sha256 === 'string'
    ? { bytes, headLast, sha256 }
    : undefined;
}
