import { Visitor } from 'vite';
import { productRooms, readSources } from './lib/source-files.mjs';

// A gate: what only tests import does not ship. Dead code that a test holds looks alive, and what the
// test proves of it nobody ever meets. What its own file uses is alive; a test may look at it there.

/** @typedef {import('./lib/source-files.mjs').SourceFile} SourceFile */

/** What is there for the sake of tests, and why nothing else can serve them. */
const forTests = new Map([
  ['watchLifetimes', 'the set-up of all tests fails on a lifetime that was not ended'],
]);

/** @param {readonly SourceFile[]} files */
const takenBy = (files) =>
  new Set(
    files.flatMap(({ file, imported }) =>
      imported.flatMap(({ from, name }) => (from === file ? [] : `${from} ${name ?? '*'}`)),
    ),
  );

/**
 * @param {SourceFile} source
 * @returns {Map<string, number>} how often each name stands in it, but for comments and texts
 */
const namesIn = ({ program }) => {
  /** @type {Map<string, number>} */
  const names = new Map();
  /** @param {string} name */
  const count = (name) => void names.set(name, (names.get(name) ?? 0) + 1);
  new Visitor({
    Identifier: ({ name }) => count(name),
    JSXIdentifier: ({ name }) => count(name),
  }).visit(program);
  return names;
};

const product = readSources(productRooms);
const byProduct = takenBy(product);
const byTests = takenBy(readSources(['test', 'scripts']));

const found = product
  .filter(({ file }) => !byProduct.has(`${file} *`))
  .flatMap((source) => {
    const { file, exported } = source;
    const suspects = exported.filter(
      ({ name }) =>
        !forTests.has(name) && !byProduct.has(`${file} ${name}`) && byTests.has(`${file} ${name}`),
    );
    const names = suspects.length === 0 ? new Map() : namesIn(source);
    return suspects
      .filter(({ name }) => names.get(name) === 1)
      .map(({ name, line }) => `${file}:${line}: only tests use "${name}".`);
  });

for (const line of found) console.log(`${line} Connect it, or delete it with its tests.`);
process.exitCode = found.length > 0 ? 1 : 0;
