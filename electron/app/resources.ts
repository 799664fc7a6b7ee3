import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ReplayExample } from '../../shared/recordings/replay-view.ts';

/** `resources/` is in the folder two levels up, in the sources and in a build. More levels do no harm. */
const maxLevels = 4;

/** Finds a folder of `resources/` by going up from this file, in the source, a build or a package. */
export function resourcesFolder(name: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (let up = 0; up < maxLevels; up += 1) {
    const found = join(folder, 'resources', name);
    if (existsSync(found)) return found;
    folder = dirname(folder);
  }
  return join('resources', name);
}

export function exampleTape(name: ReplayExample): string {
  // In a package it lies outside the archive, because tapes are read at random positions.
  const folder = resourcesFolder('tapes').replace(/app\.asar(?=[/\\])/u, 'app.asar.unpacked');
  return join(folder, `${name}.parleytape`);
}
