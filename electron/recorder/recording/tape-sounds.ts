import { appError, failure } from '../../../shared/errors/app-error.ts';
import type { AppError } from '../../../shared/errors/app-error.ts';
import type { Files } from '../../ports/files.ts';
import type { Outcome } from '../../ports/outcome.ts';
import type { IndexedLine, TapeIndex } from './tape-index.ts';
import { tapeLimits } from './tape-limits.ts';
import { openTapeSound } from './tape-sound.ts';
import type { TapeSound } from './tape-sound.ts';

/** The files of sound that a tape refers to, by their names. */
export function openTapeSounds(
  folder: string,
  lines: readonly IndexedLine[],
  files: Pick<Files, 'openToRead'>,
): Outcome<ReadonlyMap<string, TapeSound>> {
  const sounds = new Map<string, TapeSound>();
  for (const name of soundNames(lines)) {
    const sound =
      sounds.size < tapeLimits.soundFiles
        ? openTapeSound(`${folder}/${name}`, name, files)
        : failure('tapeReferenceBroken');
    if (!sound.ok) {
      for (const other of sounds.values()) other.close();
      return sound;
    }
    sounds.set(name, sound.value);
  }
  return { ok: true, value: sounds };
}

function soundNames(lines: readonly IndexedLine[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { references } of lines) {
    for (const reference of references) if ('$sound' in reference) names.add(reference.$sound);
  }
  return names;
}

interface WholeLines {
  readonly rows: number;
  readonly lines: readonly IndexedLine[];
  readonly damage: AppError | undefined;
}

/** The lines before the first one whose sound is not there, or is more than a frame may have. */
export function untilSoundShort(
  called: string,
  { lines, rows, damage: before }: TapeIndex,
  sounds: ReadonlyMap<string, TapeSound>,
): WholeLines {
  let total = 0;
  for (const [index, { references, row }] of lines.entries()) {
    let wanted = 0;
    for (const reference of references) {
      if (!('$sound' in reference)) continue;
      const { $sound: name, from, samples } = reference;
      wanted += samples;
      if (from + samples > (sounds.get(name)?.samples ?? 0)) {
        const damage = appError('tapeSoundShort', { path: `${called}/${name}` });
        return { rows: row - 1, lines: lines.slice(0, index), damage };
      }
    }
    total += wanted * 4;
    if (wanted * 4 > tapeLimits.frameBytes || total > tapeLimits.soundBytes) {
      const damage = appError('tapeTooLong', { line: row });
      return { rows: row - 1, lines: lines.slice(0, index), damage };
    }
  }
  return { rows, lines, damage: before };
}
