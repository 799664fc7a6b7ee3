import { productRooms, readSources } from './lib/source-files.mjs';

// A gate: an exported name means one thing in all that ships, so that whoever looks it up finds it,
// and whoever meets it needs no import line to know which of several it is. A type and a value of one
// name in one file are one thing, and so is what a file only passes on.

/**
 * @param {string} file
 * @returns {string} the same for one table in each language: that is one thing, said twice
 */
const inEveryLanguage = (file) => file.replace(/(\/i18n\/)[^/]+\//, '$1*/');

/** @type {Map<string, Map<string, string>>} of a name: each thing of it, and where that stands */
const meanings = new Map();
for (const { file, exported } of readSources(productRooms)) {
  for (const { name, line } of exported) {
    /** @type {Map<string, string>} */
    const things = meanings.get(name) ?? new Map();
    meanings.set(name, things.set(inEveryLanguage(file), `${file}:${line}`));
  }
}

const clashes = [...meanings].filter(([, things]) => things.size > 1);
for (const [name, things] of clashes.toSorted(([one], [other]) => (one < other ? -1 : 1)))
  console.log(
    `"${name}" is exported as ${things.size} things: ${[...things.values()].join(', ')}. Give all but one a name of its own.`,
  );
process.exitCode = clashes.length > 0 ? 1 : 0;
