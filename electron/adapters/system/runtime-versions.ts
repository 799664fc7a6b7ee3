import type { RuntimeVersion } from '../../../shared/about.ts';

const shown = [
  ['electron', 'Electron'],
  ['chrome', 'Chromium'],
  ['node', 'Node'],
] as const;

/** The versions of what runs us; outside Electron only Node has one. */
export function runtimeVersions(
  versions: Readonly<Record<string, string | undefined>> = process.versions,
): readonly RuntimeVersion[] {
  return shown.flatMap(([key, name]) => {
    const version = versions[key];
    return version === undefined ? [] : [{ name, version }];
  });
}
