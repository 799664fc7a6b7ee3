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
 * @param {string} file a lock file of npm
 * @returns {[string, LockedPackage][] | null} folder and entry; null when it cannot be read
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
 * npm writes this list at the very end of an installation, so an interrupted one has none.
 * @returns {[string, LockedPackage][] | null}
 */
export const installedPackages = () => lockedPackages('node_modules/.package-lock.json');

/** @param {string} file */
const isThere = (file) => statSync(inRoot(file), { throwIfNoEntry: false })?.isFile() === true;

/** What npm's build steps make, and the only things here that are compiled on this machine. */
const COMPILED = [
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

/** @returns {number} the bytes of the compiled bindings together, 0 where one is not there */
export const compiledSize = () => {
  const sizes = COMPILED.map(sizeOf);
  return sizes.includes(0) ? 0 : sizes.reduce((sum, size) => sum + size, 0);
};

/**
 * A stat for each package: enough to see that a folder was lost, quick enough for every start.
 * @param {readonly [string, LockedPackage][]} packages
 * @returns {string[]} the packages that should be there and are not
 */
export const missingPackages = (packages) => {
  const missing = packages
    .filter(([folder]) => {
      try {
        return !isThere(`${folder}/package.json`);
      } catch {
        return true; // a file where a folder should be
      }
    })
    .map(([folder]) => folder.slice(folder.lastIndexOf('node_modules/') + 13));
  return compiledSize() > 0 ? missing : [...missing, 'the compiled audio binding'];
};

/**
 * Whether someone's own `npm ci` has put there just what our lock file says.
 * @param {readonly [string, LockedPackage][]} installed
 * @returns {boolean}
 */
export const matchesLock = (installed) => {
  const wanted = new Map(lockedPackages('package-lock.json') ?? []);
  const there = new Map(installed);
  const same = installed.every(([folder, entry]) => {
    const lock = wanted.get(folder);
    return lock?.version === entry.version && lock?.integrity === entry.integrity;
  });
  const complete = [...wanted].every(([folder, entry]) => {
    return there.has(folder) || entry.optional === true || entry.devOptional === true;
  });
  return wanted.size > 0 && same && complete;
};
