import { readFileSync, statSync } from 'node:fs';
import { inRoot } from './root.mjs';

/**
 * @typedef {object} LockedPackage
 * @property {string} [version]
 * @property {string} [integrity]
 * @property {boolean} [link]
 * @property {boolean} [optional]
 * @property {boolean} [devOptional]
 */

/**
 * @param {string} file an npm lock file
 * @returns {[string, LockedPackage][] | null} folders and entries; null if the file cannot be read
 */
const lockedPackages = (file) => {
  try {
    /** @type {{ packages: Record<string, LockedPackage> }} */
    const lock = JSON.parse(readFileSync(inRoot(file), 'utf8'));
    return Object.entries(lock.packages).filter(([folder]) => folder.startsWith('node_modules/'));
  } catch {
    return null;
  }
};

/**
 * npm writes this list at the end of an installation, so it is missing after an interrupted one.
 * @returns {[string, LockedPackage][] | null}
 */
export const installedPackages = () => lockedPackages('node_modules/.package-lock.json');

/** @param {string} file */
const isFile = (file) => statSync(inRoot(file), { throwIfNoEntry: false })?.isFile() === true;

/** Files that npm's build steps compile on this machine. */
const compiledFiles = [
  'node_modules/naudiodon/build/Release/naudiodon.node',
  'node_modules/parley-sound/build/Release/parley_sound.node',
];

/** @param {string} file */
const sizeOf = (file) => {
  try {
    return statSync(inRoot(file), { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    return 0;
  }
};

/** @returns {number} the total size in bytes of the compiled addons, 0 if one is missing */
export const compiledSize = () => {
  const sizes = compiledFiles.map(sizeOf);
  return sizes.includes(0) ? 0 : sizes.reduce((sum, size) => sum + size, 0);
};

/**
 * Calls stat for each package: fast enough for every start, and it finds lost folders.
 * @param {readonly [string, LockedPackage][]} packages
 * @returns {string[]} names of missing packages
 */
export const missingPackages = (packages) => {
  const missing = packages
    .filter(([folder]) => {
      try {
        return !isFile(`${folder}/package.json`);
      } catch {
        return true; // a file where a folder should be
      }
    })
    .map(([folder]) => folder.slice(folder.lastIndexOf('node_modules/') + 13));
  return compiledSize() > 0 ? missing : [...missing, 'the compiled audio binding'];
};

/**
 * Checks whether the user's own `npm ci` installed exactly what the lock file says.
 * @param {readonly [string, LockedPackage][]} installed
 * @returns {boolean}
 */
export const matchesLock = (installed) => {
  const locked = new Map(lockedPackages('package-lock.json') ?? []);
  const installedByFolder = new Map(installed);
  const isSame = installed.every(([folder, entry]) => {
    const lock = locked.get(folder);
    return lock?.version === entry.version && lock?.integrity === entry.integrity;
  });
  const isComplete = [...locked].every(([folder, entry]) => {
    return installedByFolder.has(folder) || entry.optional === true || entry.devOptional === true;
  });
  return locked.size > 0 && isSame && isComplete;
};
