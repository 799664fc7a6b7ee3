import { productFolders, readSources } from './lib/source-files.mjs';

// A gate: every exported name of shipped code means one thing, so that a search finds it and readers need no import
// line to identify it. A type and a value with one name in one file count as one, and re-exports do not count.

/**
 * @param {string} file
 * @returns {string} the path without the language, because each language has a table of the same name
 */
const withoutLanguage = (file) => file.replace(/(\/i18n\/)[^/]+\//, '$1*/');

/** @type {Map<string, Map<string, string>>} by name: the files that export it, and the lines */
const meanings = new Map();
for (const { file, exported } of readSources(productFolders)) {
  for (const { name, line } of exported) {
    /** @type {Map<string, string>} */
    const definitions = meanings.get(name) ?? new Map();
    meanings.set(name, definitions.set(withoutLanguage(file), `${file}:${line}`));
  }
}

const clashes = [...meanings].filter(([, definitions]) => definitions.size > 1);
for (const [name, definitions] of clashes.toSorted(([one], [other]) => (one < other ? -1 : 1)))
  console.log(
    `"${name}" has ${definitions.size} definitions: ${[...definitions.values()].join(', ')}. Rename all but one.`,
  );
process.exitCode = clashes.length > 0 ? 1 : 0;
