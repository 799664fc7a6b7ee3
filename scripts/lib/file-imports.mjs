import { posix } from 'node:path';

/** @typedef {ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>} Imports importing file to imported file to
 *   names */

/**
 * @param {readonly import('./source-files.mjs').SourceFile[]} sources
 * @returns {Imports}
 */
export const importsOf = (sources) =>
  new Map(
    sources.map(({ file, imported }) => {
      /** @type {Map<string, Set<string>>} */
      const from = new Map();
      for (const each of imported)
        from.set(each.from, (from.get(each.from) ?? new Set()).add(each.name ?? '*'));
      return [file, from];
    }),
  );

/**
 * @param {readonly string[]} files C++ sources
 * @param {(file: string) => string} read
 * @returns {Imports}
 */
export const includesOf = (files, read) =>
  new Map(
    files.map((file) => [
      file,
      new Map(
        [...read(file).matchAll(/^#include "([^"]+)"/gm)].map(([, header = '']) => [
          posix.join(posix.dirname(file), header),
          new Set(['*']),
        ]),
      ),
    ]),
  );
