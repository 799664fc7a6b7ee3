import type { RuntimeVersion } from '../../../shared/about.ts';

/** Of what it was built; the build puts it in where there is a history to ask. */
declare const PARLEY_COMMIT: string | undefined;

const shown = [
  ['electron', 'Electron'],
  ['chrome', 'Chromium'],
  ['node', 'Node'],
] as const;

/** What it was built of, and the versions of what runs it; outside Electron only Node has one. */
export function runtimeVersions(
  versions: Readonly<Record<string, string | undefined>> = process.versions,
): readonly RuntimeVersion[] {
  const commit = typeof PARLEY_COMMIT === 'string' ? PARLEY_COMMIT : '';
  const built = commit === '' ? [] : [{ name: 'Commit', version: commit }];
  const run = shown.flatMap(([key, name]) => {
    const version = versions[key];
    return version === undefined ? [] : [{ name, version }];
  });
  return [...built, ...run];
}
