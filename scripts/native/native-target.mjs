import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { which } from '../lib/run.mjs';
import { Stop } from '../lib/stop.mjs';

/** @typedef {'x64' | 'arm64'} Architecture */

/**
 * The system and processor that native parts are compiled for: this machine's, or on Linux also another processor.
 * @typedef {object} NativeTarget
 * @property {NodeJS.Platform} platform
 * @property {Architecture} architecture
 * @property {{ cc: string, cxx: string, strip: string }} tools
 * @property {boolean} foreign whether this machine can compile for it but not run it
 */

/** @type {Readonly<Record<Architecture, string>>} GNU triplets */
const triplets = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' };

/** @param {string} name @returns {name is Architecture} */
export const isArchitecture = (name) => name === 'x64' || name === 'arm64';

/**
 * @param {Architecture} architecture
 * @returns {NativeTarget | { reason: string }} `reason`: why this machine cannot compile for it
 */
export const nativeTarget = (architecture) => {
  const { platform } = process;
  const own = { cc: process.env['CC'] ?? 'cc', cxx: process.env['CXX'] ?? 'c++', strip: 'strip' };
  if (architecture === process.arch) return { platform, architecture, tools: own, foreign: false };
  if (platform !== 'linux') {
    return {
      reason: `a package for ${architecture} must be made on a machine with that processor`,
    };
  }
  const prefix = triplets[architecture];
  const tools = { cc: `${prefix}-gcc`, cxx: `${prefix}-g++`, strip: `${prefix}-strip` };
  if (which(tools.cc) === undefined || which(tools.cxx) === undefined) {
    const name = architecture === 'x64' ? 'amd64' : architecture;
    return { reason: `there is no ${tools.cxx} (apt-get install crossbuild-essential-${name})` };
  }
  return { platform, architecture, tools, foreign: true };
};

/** @returns {string} the folder with the headers of Node-API and libuv: beside Node, or Debian's */
export const nodeHeaderFolder = () => {
  const installedFolder = resolve(dirname(process.execPath), '..', 'include', 'node');
  const found = [installedFolder, '/usr/include/node'].find((folder) =>
    existsSync(join(folder, 'node_api.h')),
  );
  if (found === undefined) throw new Stop('Node’s headers are missing: install libnode-dev.');
  return found;
};
