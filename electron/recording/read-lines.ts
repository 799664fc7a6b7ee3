import type { ReadableFile } from '../ports/files.ts';
import type { Outcome } from '../ports/outcome.ts';
import { tapeLimits } from './tape-limits.ts';

/** Gets each line; answers whether it wants more. The last one may have no end. */
export type TakeLine = (line: Uint8Array, ended: boolean) => boolean;

const newline = 0x0a;
const blockBytes = 1024 * 1024;

/** Hands out the lines of a file, of which never more is held than a block and a line. */
export async function readLines(file: ReadableFile, take: TakeLine): Promise<Outcome<undefined>> {
  const done = { ok: true, value: undefined } as const;
  let rest: Uint8Array = new Uint8Array();
  for (let offset = 0; ;) {
    const block = await file.read(offset, blockBytes);
    if (!block.ok) return block;
    if (block.value.length === 0) break;
    offset += block.value.length;
    const bytes = joined(rest, block.value);
    let start = 0;
    for (let end = bytes.indexOf(newline, rest.length); end !== -1;) {
      if (!take(bytes.subarray(start, end), true)) return done;
      start = end + 1;
      end = bytes.indexOf(newline, start);
    }
    rest = bytes.slice(start);
    if (rest.length > tapeLimits.lineBytes) break;
  }
  if (rest.length > 0) take(rest, false);
  return done;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
