import { failure } from '../../shared/errors/app-error.ts';
import type { Failure } from '../../shared/errors/app-error.ts';
import type { Outcome } from '../ports/outcome.ts';
import { decodeLines } from './decode-lines.ts';
import { parseTapeHeader, parseTapeLine } from './parse-tape-line.ts';
import { openTapeMediaReader } from './tape-media-reader.ts';
import type { TapeMediaReaderDeps } from './tape-media-reader.ts';
import { tapeFiles } from './tape.ts';
import type { Tape, TapeLine } from './tape.ts';

const maxBytes = 500_000_000;
/** What a killed recorder may not have got to the disk any more. */
const lostAtTheEnd = 1500;

/** Reads a tape with all its media; errors have the folder among their facts. */
export async function readTape(folder: string, deps: TapeMediaReaderDeps): Promise<Outcome<Tape>> {
  const file = await deps.files.read(`${folder}/${tapeFiles.lines}`, maxBytes);
  if (!file.ok) return failure('notTape', { path: folder }, { cause: file.error });
  const [first = '', ...rows] = decodeLines(file.value);
  const header = parseTapeHeader(first);
  if (!header.ok) return unplayable(folder, header);
  const parsed = parseRows(rows);
  if (!parsed.ok) return unplayable(folder, parsed);
  const filled = await fillLines(folder, parsed.value.lines, deps);
  if (!filled.ok) return filled;
  const { lines, cut } = filled.value;
  return { ok: true, value: { header: header.value, lines, cut: cut || parsed.value.cut } };
}

function unplayable(path: string, { error: cause }: Failure): Failure {
  return failure('tapeUnplayable', { path }, { cause });
}

type Lines = Pick<Tape, 'lines' | 'cut'>;

function parseRows(rows: readonly string[]): Outcome<Lines> {
  const lines: TapeLine[] = [];
  for (const [index, row] of rows.entries()) {
    const isLast = index === rows.length - 1;
    if (isLast && row === '') break;
    const line = parseTapeLine(row);
    // A line that was being written when the recorder was killed has no end.
    if (line === undefined && isLast) return { ok: true, value: { lines, cut: true } };
    if (line === undefined) return failure('tapeLineDamaged', { line: index + 2 });
    if (line !== 'unknown') lines.push(line);
  }
  return { ok: true, value: { lines, cut: false } };
}

async function fillLines(
  folder: string,
  lines: readonly TapeLine[],
  deps: TapeMediaReaderDeps,
): Promise<Outcome<Lines>> {
  const media = openTapeMediaReader(folder, deps);
  const end = lines.at(-1)?.at ?? 0;
  const filled: TapeLine[] = [];
  for (const line of lines) {
    if (!('frame' in line)) {
      filled.push(line);
      continue;
    }
    const frame = await media.restore(line.frame);
    if (frame.ok) filled.push({ ...line, frame: frame.value });
    else if (line.at >= end - lostAtTheEnd && !endsInOrder(lines)) {
      return { ok: true, value: { lines: filled, cut: true } };
    } else return unplayable(folder, frame);
  }
  return { ok: true, value: { lines: filled, cut: false } };
}

/** A recorder that lived to the end of the last connection was not killed. */
function endsInOrder(lines: readonly TapeLine[]): boolean {
  return lines.at(-1)?.dir === 'end';
}
