import { appError, failure } from '../../../shared/errors/app-error.ts';
import type { AppError, Failure } from '../../../shared/errors/app-error.ts';
import type { ReadableFile } from '../../ports/files.ts';
import type { Outcome } from '../../ports/outcome.ts';
import { decodeUtf8 } from './decode-utf8.ts';
import { isTooDeep, referencesIn } from './media-references.ts';
import type { FormatStep } from './tape-format.ts';
import { parseTapeHeader, parseTapeLine } from './parse-tape-line.ts';
import { readLines } from './read-lines.ts';
import { tapeLimits } from './tape-limits.ts';
import type { MediaReference, TapeHeader, TapeLine } from './tape.ts';

/** What stands on a tape, without the media beside it. */
export interface TapeIndex {
  readonly header: TapeHeader;
  readonly lines: readonly IndexedLine[];
  /** How many rows of the file are whole, the header and those that nobody knows among them. */
  readonly rows: number;
  /** Why it ends before its file does, or before its talk did. */
  readonly damage: AppError | undefined;
}

export interface IndexedLine {
  readonly line: TapeLine;
  /** Counted from 1, as editors do. */
  readonly row: number;
  readonly references: readonly MediaReference[];
}

type Steps = Readonly<Record<number, FormatStep>>;

/** Reads the lines of a tape as far as they are whole; a failure where nothing can be played at all. */
export async function indexTape(
  file: ReadableFile,
  steps: Steps | undefined,
): Promise<Outcome<TapeIndex>> {
  const rows = new TapeRows(steps);
  const read = await readLines(file, (line, ended) => rows.take(line, ended));
  return rows.result(read.ok ? undefined : read.error);
}

/** What has been read of a tape so far. */
class TapeRows {
  readonly #steps: Steps | undefined;
  readonly #lines: IndexedLine[] = [];
  #header: ReturnType<typeof parseTapeHeader> = failure('tapeOfOthers');
  #refused: Failure | undefined;
  #damage: AppError | undefined;
  #row = 0;
  #bytes = 0;
  #latest = 0;

  constructor(steps: Steps | undefined) {
    this.#steps = steps;
  }

  /** Answers whether anything after it is wanted. */
  take(bytes: Uint8Array, ended: boolean): boolean {
    this.#row += 1;
    this.#bytes += bytes.length;
    const tooLong = bytes.length > tapeLimits.lineBytes || this.#bytes > tapeLimits.linesBytes;
    if (tooLong || this.#lines.length >= tapeLimits.lines) {
      this.#damage = appError('tapeTooLong', { line: this.#row });
      return false;
    }
    const text = decodeUtf8(bytes);
    if (this.#row > 1) return this.#takeLine(text, ended);
    this.#header = parseTapeHeader(text ?? '', this.#steps);
    return this.#header.ok;
  }

  result(unread: AppError | undefined): Outcome<TapeIndex> {
    if (!this.#header.ok) return this.#header;
    if (this.#refused !== undefined) return this.#refused;
    const { header } = this.#header.value;
    const damage = unread ?? this.#damage;
    const rows = this.#damage === undefined ? this.#row : this.#row - 1;
    return { ok: true, value: { header, lines: this.#lines, rows, damage } };
  }

  #takeLine(text: string | undefined, ended: boolean): boolean {
    if (text === undefined || !this.#header.ok) return this.#isDamaged(ended);
    const line = parseTapeLine(text, this.#header.value.migrate);
    if (line === 'unknown') return true;
    if (line === undefined || !isPlayable(line)) return this.#isDamaged(ended);
    const references = 'frame' in line ? referencesIn(line.frame) : noReferences;
    if (!references.ok) {
      this.#refused = references;
      return false;
    }
    this.#latest = Math.max(this.#latest, line.at);
    const inOrder = { ...line, at: this.#latest };
    this.#lines.push({ line: inOrder, row: this.#row, references: references.value });
    return true;
  }

  /** A line that was being written when the recorder was killed has no end. */
  #isDamaged(ended: boolean): false {
    this.#damage = ended
      ? appError('tapeLineDamaged', { line: this.#row })
      : appError('tapeUnfinished');
    return false;
  }
}

const noReferences = { ok: true, value: [] } as const;

/** What a recorder can have written, and nothing that would keep a replay busy for ever. */
function isPlayable(line: TapeLine): boolean {
  const { at, connection = 1 } = line;
  if (!(at <= tapeLimits.duration)) return false;
  if (!Number.isInteger(connection) || connection < 1) return false;
  if (connection > tapeLimits.connections) return false;
  if ('frame' in line) return !isTooDeep(line.frame);
  if (line.dir === 'event') return !isTooDeep(line.event);
  return line.dir !== 'end' || !isTooDeep(line.end);
}
