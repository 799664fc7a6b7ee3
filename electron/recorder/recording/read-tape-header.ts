import type { Files } from '../../ports/files.ts';
import { decodeUtf8 } from './decode-utf8.ts';
import { parseTapeHeader } from './parse-tape-line.ts';
import { tapeFiles } from './tape.ts';
import type { TapeHeader } from './tape.ts';

/** Instructions are the longest of it. */
const maxBytes = 256 * 1024;

/** What a tape is of, without reading what is on it; nothing where that cannot be known. */
export function readTapeHeader(
  folder: string,
  files: Pick<Files, 'openToRead'>,
): TapeHeader | undefined {
  const file = files.openToRead(`${folder}/${tapeFiles.lines}`);
  if (!file.ok) return undefined;
  const bytes = file.value.readNow(0, Math.min(file.value.size, maxBytes));
  file.value.close();
  if (!bytes.ok) return undefined;
  const end = bytes.value.indexOf(newline);
  const text = end === -1 ? undefined : decodeUtf8(bytes.value.subarray(0, end));
  const header = text === undefined ? undefined : parseTapeHeader(text);
  return header?.ok === true ? header.value.header : undefined;
}

const newline = 10;
