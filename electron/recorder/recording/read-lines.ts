import type { ReadableFile } from '../../ports/files.ts';
import type { Outcome } from '../../ports/outcome.ts';
import { tapeLimits } from './tape-limits.ts';

/** Gets each line; answers whether it wants more. The last one may have no end. */
export type TakeLine = (line: Uint8Array, ended: boolean) => boolean;

const newline = 0x0a;
const blockBytes = 1024 * 1024;

/** Hands out the lines of a file, of which never more is held than a block and a line. */
export async function readLines(file: ReadableFile, take: TakeLine): Promise<Outcome<undefined>> {
  const done = { ok: true, value: undefined } as const;
  /** The blocks of a line whose end has not come yet. */
  let parts: readonly Uint8Array[] = [];
  let waiting = 0;
  for (let offset = 0; waiting <= tapeLimits.lineBytes;) {
    const block = await file.read(offset, blockBytes);
    if (!block.ok) return block;
    const bytes = block.value;
    if (bytes.length === 0) break;
    offset += bytes.length;
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      if (!take(joined([...parts, bytes.subarray(start, end)]), true)) return done;
      parts = [];
      waiting = 0;
      start = end + 1;
    }
    // A copy, so that of a block no more is held than the line that is wanted.
    if (start < bytes.length) parts = [...parts, bytes.slice(start)];
    waiting += bytes.length - start;
  }
  if (waiting > 0) take(joined(parts), false);
  return done;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
