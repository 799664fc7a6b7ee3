import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Stop } from './stop.mjs';

/** @returns {string} the folder with the headers of Node-API and libuv: beside Node, or Debian's */
export const nodeHeaderFolder = () => {
  const installedFolder = resolve(dirname(process.execPath), '..', 'include', 'node');
  const found = [installedFolder, '/usr/include/node'].find((folder) =>
    existsSync(join(folder, 'node_api.h')),
  );
  if (found === undefined) throw new Stop('Node’s headers are missing: install libnode-dev.');
  return found;
};
