import { which } from '../lib/which.mjs';

/** @typedef {'x64' | 'arm64'} Architecture */

/**
 * What native parts are made for: this machine's own kind of processor, or another one's on Linux.
 * @typedef {object} NativeTarget
 * @property {NodeJS.Platform} platform
 * @property {Architecture} architecture
 * @property {{ cc: string, cxx: string, strip: string }} tools
 * @property {boolean} foreign whether this machine can only make it, and not run it
 */

/** @type {Readonly<Record<Architecture, string>>} as GNU's tools and Debian's folders name them */
const triplets = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' };

/** @param {string} name @returns {name is Architecture} */
export const isArchitecture = (name) => name === 'x64' || name === 'arm64';

/**
 * @param {Architecture} architecture
 * @returns {NativeTarget | { reason: string }} or why it cannot be made here
 */
export const nativeTarget = (architecture) => {
  const { platform } = process;
  const own = { cc: process.env['CC'] ?? 'cc', cxx: process.env['CXX'] ?? 'c++', strip: 'strip' };
  if (architecture === process.arch) return { platform, architecture, tools: own, foreign: false };
  if (platform !== 'linux') {
    return { reason: `a package for ${architecture} is made on a machine of that kind` };
  }
  const prefix = triplets[architecture];
  const tools = { cc: `${prefix}-gcc`, cxx: `${prefix}-g++`, strip: `${prefix}-strip` };
  if (which(tools.cc) === undefined || which(tools.cxx) === undefined) {
    const name = architecture === 'x64' ? 'amd64' : architecture;
    return { reason: `there is no ${tools.cxx} (apt-get install crossbuild-essential-${name})` };
  }
  return { platform, architecture, tools, foreign: true };
};
