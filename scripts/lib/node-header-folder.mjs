import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Stop } from './stop.mjs';

/** @returns {string} where the headers of N-API and libuv are: beside Node, or where Debian has them */
export const nodeHeaderFolder = () => {
  const beside = resolve(dirname(process.execPath), '..', 'include', 'node');
  const found = [beside, '/usr/include/node'].find((folder) =>
    existsSync(join(folder, 'node_api.h')),
  );
  if (found === undefined) throw new Stop('Node’s headers are missing: install libnode-dev.');
  return found;
};
