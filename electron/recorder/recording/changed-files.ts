import { isJsonObject, parseJsonObject } from '../../../shared/protocol/json.ts';
import type { JsonValue } from '../../../shared/protocol/json.ts';
import type { StartDigest } from '../../ports/digest.ts';
import type { Files } from '../../ports/files.ts';
import { decodeUtf8 } from './decode-utf8.ts';
import { isPlainName } from './media-references.ts';
import type { FileChecksum } from './tape-checksums.ts';
import { tapeLimits } from './tape-limits.ts';
import { tapeFiles } from './tape.ts';

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
