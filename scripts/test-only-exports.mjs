import { Visitor } from 'vite';
import { productFolders, readSources } from './lib/source-files.mjs';

// A gate: no shipped module exports a name that only tests import, because that is dead code. Names that their own file
// uses are allowed.

/** @typedef {import('./lib/source-files.mjs').SourceFile} SourceFile */

/** Exceptions, with the reason. */
const allowedExports = new Map([
  ['observeLifetimes', 'the set-up of all tests finds lifetimes that a test did not end'],
]);

/** @param {readonly SourceFile[]} files */
const findImports = (files) =>
  new Set(
    files.flatMap(({ file, imported }) =>
      imported.flatMap(({ from, name }) => (from === file ? [] : `${from} ${name ?? '*'}`)),
    ),
  );

/**
 * @param {SourceFile} source
 * @returns {Map<string, number>} how often each identifier occurs
 */
const countIdentifiers = ({ program }) => {
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

const product = readSources(productFolders);
const byProduct = findImports(product);
const byTests = findImports(readSources(['test', 'scripts']));

const found = product
  .filter(({ file }) => !byProduct.has(`${file} *`))
  .flatMap((source) => {
    const { file, exported } = source;
    const suspects = exported.filter(
      ({ name }) =>
        !allowedExports.has(name) &&
        !byProduct.has(`${file} ${name}`) &&
        byTests.has(`${file} ${name}`),
    );
    const names = suspects.length === 0 ? new Map() : countIdentifiers(source);
    return suspects
      .filter(({ name }) => names.get(name) === 1)
      .map(({ name, line }) => `${file}:${line}: only tests use "${name}".`);
  });

for (const line of found) console.log(`${line} Connect it, or delete it with its tests.`);
process.exitCode = found.length > 0 ? 1 : 0;
