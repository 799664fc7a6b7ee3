import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { compareVersions, isVersion } from '../../../shared/updates/version-order.ts';

export interface FoundVersions {
  readonly previous: string | undefined;
  readonly next: string | undefined;
  /** Paths of what nobody wants any more. */
  readonly left: readonly string[];
}

/** Where another version lies, beside the one that runs. */
export function besidePath(
  path: string,
  role: 'previous' | 'next' | 'left',
  version: string,
): string {
  return `${path}.${role}-${version}`;
}

/** Where one is while it is not whole yet. */
export function unpackingPath(path: string): string {
  return `${path}.unpacking`;
}

/** What lies beside the version that runs, by its names. */
export async function findVersionsBeside(path: string, running: string): Promise<FoundVersions> {
  const folder = dirname(path);
  const stem = `${basename(path)}.`;
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith(stem));
  const ofRole = (role: string): readonly string[] =>
    names
      .filter((name) => name.startsWith(`${stem}${role}-`))
      .map((name) => name.slice(stem.length + role.length + 1))
      .filter(isVersion)
      .toSorted((one, other) => compareVersions(other, one));
  const older = ofRole('previous');
  const newer = ofRole('next');
  const previous = older.find((version) => compareVersions(version, running) < 0);
  const next = newer.find((version) => compareVersions(version, running) > 0);
  const left = [
    ...older
      .filter((version) => version !== previous)
      .map((it) => besidePath(path, 'previous', it)),
    ...newer.filter((version) => version !== next).map((it) => besidePath(path, 'next', it)),
    ...ofRole('left').map((it) => besidePath(path, 'left', it)),
    ...names.filter((name) => name === `${stem}unpacking`).map((name) => join(folder, name)),
  ];
  return { previous, next, left };
}
