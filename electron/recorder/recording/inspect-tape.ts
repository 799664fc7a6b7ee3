import { appError, failure } from '../../../shared/errors/app-error.ts';
import type { AppError, Failure } from '../../../shared/errors/app-error.ts';
import type { Files } from '../../ports/files.ts';
import type { Outcome } from '../../ports/outcome.ts';
import type { FormatStep } from './tape-format.ts';
import { indexTape } from './tape-index.ts';
import type { IndexedLine } from './tape-index.ts';
import type { TapeSound } from './tape-sound.ts';
import { openTapeSounds, untilSoundShort } from './tape-sounds.ts';
import { tapeFiles } from './tape.ts';
import type { TapeHeader } from './tape.ts';

/** What of a tape is whole. Its sounds are open: who asked for it closes them. */
export interface InspectedTape {
  readonly header: TapeHeader;
  readonly lines: readonly IndexedLine[];
  /** How many rows its file of lines has up to there, the header among them. */
  readonly rows: number;
  readonly sounds: ReadonlyMap<string, TapeSound>;
  /** Why it is not longer, or why its talk was. */
  readonly damage: AppError | undefined;
}

export interface InspectTapeDeps {
  readonly files: Pick<Files, 'openToRead'>;
  /** What makes older tapes ours. */
  readonly steps?: Readonly<Record<number, FormatStep>> | undefined;
  /** As a person calls it, where that is not its folder. */
  readonly called?: string | undefined;
}

/** Looks through a tape, whoever made it and whatever became of it since; errors say what it is called. */
export async function inspectTape(
  folder: string,
  { files, steps, called = folder }: InspectTapeDeps,
): Promise<Outcome<InspectedTape>> {
  const file = files.openToRead(`${folder}/${tapeFiles.lines}`);
  if (!file.ok) return failure('notTape', { path: called }, { cause: file.error });
  const index = await indexTape(file.value, steps);
  file.value.close();
  if (!index.ok) return unplayable(called, index);
  const { header } = index.value;
  const sounds = openTapeSounds(folder, index.value.lines, files);
  if (!sounds.ok) return unplayable(called, sounds);
  const { lines, rows, damage } = untilSoundShort(called, index.value, sounds.value);
  const why = damage ?? (endsInOrder(lines) ? undefined : whyOpen(lines));
  return { ok: true, value: { header, lines, rows, sounds: sounds.value, damage: why } };
}

function unplayable(path: string, { error: cause }: Failure): Failure {
  return failure('tapeUnplayable', { path }, { cause });
}

/** A stretch of a longer talk says that it is one, in its last line. */
function whyOpen(lines: readonly IndexedLine[]): AppError {
  const last = lines.at(-1)?.line;
  const isStretch = last?.dir === 'event' && last.event['kind'] === 'cut';
  return appError(isStretch ? 'tapeIsStretch' : 'tapeUnfinished');
}

/** A recorder that lived to the end of every connection was not killed. */
function endsInOrder(lines: readonly IndexedLine[]): boolean {
  const open = new Set<number>();
  for (const { line } of lines) {
    const { dir, connection = 1 } = line;
    if (dir === 'end') open.delete(connection);
    // What happened beside the wire opens nothing.
    else if (dir !== 'event') open.add(connection);
  }
  return lines.length > 0 && open.size === 0;
}
