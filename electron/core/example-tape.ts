import { join } from 'node:path';
import type { ReplayExample } from '../../shared/replay/replay-view.ts';
import { resourcesFolder } from './resources-folder.ts';

/** Where one of the tapes lies that ship with Parley: a whole talk, for whoever has no server and no tape yet. */
export function exampleTape(name: ReplayExample): string {
  // Inside an archive nothing could read it in places: in a package it lies beside.
  const folder = resourcesFolder('tapes').replace(/app\.asar(?=[/\\])/u, 'app.asar.unpacked');
  return join(folder, `${name}.parleytape`);
}
