import type { AppError, Outcome } from '../../../shared/errors/app-error.ts';
import { fileSize, type StartDigest } from '../../../shared/ports/files.ts';
import { type InspectedTape, inspectTape, type InspectTapeDeps } from './inspect-tape.ts';
import { playedSoundNames } from './tape-sound.ts';
import { findChangedFiles } from './tape-checksums.ts';
import { tapeFiles, type TapeHeader } from './tape.ts';

export interface TapeHealth {
  readonly header: TapeHeader;
  /** `early` is usable, but ends before the talk did. `changed` is usable, but differs from what was recorded. */
  readonly state: 'whole' | 'early' | 'changed' | 'damaged';
  readonly seconds: number;
  readonly lines: number;
  readonly connections: number;
  readonly gaps: number;
  readonly missing: readonly string[];
  readonly damage: AppError | undefined;
  /** Files that differ from their checksums; undefined without checksums. */
  readonly changed: readonly string[] | undefined;
}

interface CheckTapeDeps extends InspectTapeDeps {
  /** Without it checksums are not verified. */
  readonly digest?: StartDigest | undefined;
}

/** Checks whether a tape is complete, unchanged and usable. */
export async function checkTape(folder: string, deps: CheckTapeDeps): Promise<Outcome<TapeHealth>> {
  const inspected = await inspectTape(folder, deps);
  if (!inspected.ok) return inspected;
  const { header, lines, sounds, damage } = inspected.value;
  for (const sound of sounds.values()) sound.close();
  const missing = listTapeMedia(inspected.value).filter(
    (name) => (fileSize(deps.files, `${folder}/${name}`) ?? 0) === 0,
  );
  const { files, digest } = deps;
  const changed = digest && (await findChangedFiles(folder, { files, digest }));
  const isAsRecorded = changed === undefined || changed.length === 0;
  const completeness = damage === undefined ? 'whole' : 'early';
  const endsEarly = damage?.code === 'tapeUnfinished' || damage?.code === 'tapeIsStretch';
  const isBroken = missing.length > 0 || (completeness === 'early' && !endsEarly);
  return {
    ok: true,
    value: {
      header,
      state: isBroken ? 'damaged' : isAsRecorded ? completeness : 'changed',
      seconds: Math.round(lines.at(-1)?.line.at ?? 0) / 1000,
      lines: lines.length,
      connections: new Set(lines.map(({ line }) => line.connection ?? 1)).size,
      gaps: lines.filter(({ line }) => line.dir === 'event' && line.event['kind'] === 'gap').length,
      missing,
      damage,
      changed,
    },
  };
}

export function listTapeMedia({ lines }: Pick<InspectedTape, 'lines'>): readonly string[] {
  const names = new Set<string>();
  for (const { references } of lines) {
    for (const reference of references) if ('$file' in reference) names.add(reference.$file);
  }
  return [...names];
}

/** Existing files of a tape. Other files in its folder are ignored. */
export async function tapeFileNames(
  folder: string,
  deps: InspectTapeDeps,
): Promise<Outcome<readonly string[]>> {
  const inspected = await inspectTape(folder, deps);
  if (!inspected.ok) return inspected;
  const { sounds } = inspected.value;
  for (const sound of sounds.values()) sound.close();
  const names = new Set([
    tapeFiles.lines,
    ...playedSoundNames,
    ...sounds.keys(),
    ...listTapeMedia(inspected.value),
  ]);
  const existing = [...names].filter(
    (name) => fileSize(deps.files, `${folder}/${name}`) !== undefined,
  );
  return { ok: true, value: existing };
}
