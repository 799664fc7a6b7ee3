import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ReplayExample } from '../../shared/recordings/replay-view.ts';

/** From the source it is one folder up, from `out/main` two, and from its shared parts three. */
const maxLevels = 4;

/**
 * A folder of `resources/`, found by going up from here: the same in the source, in what is built,
 * and inside a package.
 */
export function resourcesFolder(name: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (let up = 0; up < maxLevels; up += 1) {
    const found = join(folder, 'resources', name);
    if (existsSync(found)) return found;
    folder = dirname(folder);
  }
  return join('resources', name);
}

/** Where one of the tapes lies that ship with Parley: a whole talk, for whoever has no server and no tape yet. */
export function exampleTape(name: ReplayExample): string {
  // Inside an archive nothing could read it in places: in a package it lies beside.
  const folder = resourcesFolder('tapes').replace(/app\.asar(?=[/\\])/u, 'app.asar.unpacked');
  return join(folder, `${name}.parleytape`);
}
