import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { rootDir } from './root.mjs';
import { filesIn } from './source-files.mjs';

// Finds the unit tests that are the fewest imports away from edited files. A fault mostly fails the tests that are near it.

const unitTest = /^test\/(unit|independent|replay)\/.*\.test\.tsx?$/;

/** Found with a pattern, because parsing every file takes seconds. */
const importedPath = /\bfrom '(\.[^']+)'|\bimport\(?\s*'(\.[^']+)'/g;

/** @returns {Map<string, string[]>} the importers of each file */
const findImporters = () => {
  /** @type {Map<string, string[]>} */
  const importers = new Map();
  for (const file of filesIn(['shared', 'electron', 'renderer', 'scripts', 'test'], rootDir)) {
    if (!/\.(tsx?|mjs|cjs)$/.test(file)) continue;
    for (const [, from, alone] of readFileSync(join(rootDir, file), 'utf8').matchAll(
      importedPath,
    )) {
      const imported = posix.join(posix.dirname(file), from ?? alone ?? '');
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  return importers;
};

/**
 * @param {string} test
 * @param {string} file
 * @returns {number} how many leading folders the paths share, without `test/unit`
 */
const commonFolders = (test, file) => {
  const folders = posix.dirname(file).split('/');
  const different = posix
    .dirname(test)
    .split('/')
    .slice(2)
    .findIndex((name, at) => name !== folders[at]);
  return different === -1 ? folders.length : different;
};

/**
 * @param {readonly string[]} edited
 * @returns {string[]} every unit test that depends on an edited file: those with the fewest imports between them first, and
 *   among equals those that share the most folders
 */
export const nearestTests = (edited) => {
  const importers = findImporters();
  const distances = new Map(edited.map((file) => [file, 0]));
  // A map may grow while it is iterated, so this visits files in the order of their distance.
  for (const [file, distance] of distances)
    for (const importer of importers.get(file) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1);
  /** @param {string} test */
  const nearness = (test) => Math.max(...edited.map((file) => commonFolders(test, file)));
  return [...distances]
    .filter(([file]) => unitTest.test(file))
    .toSorted(([a, from], [b, to]) => from - to || nearness(b) - nearness(a))
    .map(([file]) => file);
};
