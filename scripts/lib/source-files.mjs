import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { parseSync } from 'vite';

export const productFolders = ['shared', 'electron', 'renderer'];

/**
 * @typedef {object} Exported
 * @property {string} name
 * @property {number} line
 */

/**
 * @typedef {object} Imported
 * @property {string} from a path in the repository, or a package's name
 * @property {string | undefined} name undefined if the import may use every name
 */

/**
 * @typedef {object} SourceFile
 * @property {string} file path in the repository, with slashes
 * @property {string} text
 * @property {ReturnType<typeof parseSync>['program']} program the syntax tree
 * @property {readonly Exported[]} exported names that it declares and exports, once each; without re-exports
 * @property {readonly Imported[]} imported names of its imports and re-exports
 */

/**
 * @param {readonly string[]} folders
 * @param {string} [tree] the folder to look in
 * @returns {string[]} paths in the tree
 */
export const filesIn = (folders, tree = '.') =>
  folders
    .flatMap((folder) => filesUnder(join(tree, folder)).map((file) => join(folder, file)))
    .map((file) => file.split(sep).join('/'));

/**
 * @param {string} folder
 * @returns {string[]} empty if the folder does not exist
 */
const filesUnder = (folder) => {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (file) => /\.\w+$/.test(file) && !/(^|[\\/])(node_modules|build|out)[\\/]/.test(file),
    );
  } catch {
    return [];
  }
};

/**
 * @param {readonly string[]} folders
 * @param {string} [tree]
 * @returns {SourceFile[]} the parsed TypeScript files of these folders
 */
export const readSources = (folders, tree = '.') =>
  filesIn(folders, tree)
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
    .toSorted()
    .map((file) => parseSource(file, readFileSync(join(tree, file), 'utf8')));

/** @typedef {{ text: string } & Pick<ReturnType<typeof parseSync>, 'program' | 'module'>} Parsed */

/** Gates that run in one process share what they have parsed. @type {Map<string, Parsed>} */
const parsed = new Map();

/**
 * @param {string} file
 * @param {string} text
 * @returns {Parsed}
 */
export const parseOnce = (file, text) => {
  const before = parsed.get(file);
  if (before?.text === text) return before;
  const { program, module, errors } = parseSync(file, text);
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`);
  const now = { text, program, module };
  parsed.set(file, now);
  return now;
};

/**
 * @param {string} file
 * @param {string} text
 * @returns {SourceFile}
 */
const parseSource = (file, text) => {
  const { program, module } = parseOnce(file, text);
  /** @type {Map<string, number>} */
  const declared = new Map();
  for (const { entries } of module.staticExports)
    for (const { exportName, moduleRequest, start } of entries)
      if (exportName.name !== null && moduleRequest === null && !declared.has(exportName.name))
        declared.set(exportName.name, lineOf(text, start));
  return {
    file,
    text,
    program,
    exported: [...declared].map(([name, line]) => ({ name, line })),
    imported: [
      ...module.staticImports.flatMap(({ moduleRequest, entries }) =>
        entries.length === 0
          ? [{ from: moduleRequest.value, name: '' }]
          : entries.map(({ importName }) => ({
              from: moduleRequest.value,
              name: importName.name ?? undefined,
            })),
      ),
      ...module.staticExports.flatMap(({ entries }) =>
        entries.flatMap(({ moduleRequest, importName }) =>
          moduleRequest === null
            ? []
            : [{ from: moduleRequest.value, name: importName.name ?? undefined }],
        ),
      ),
      // `import('./later.ts')`, also in types, may use every name.
      ...[...text.matchAll(/\bimport\(\s*'([^']+)'/g)].map(([, from = '']) => ({
        from,
        name: undefined,
      })),
    ].map(({ from, name }) => ({
      from: from.startsWith('.') ? posix.join(posix.dirname(file), from) : from,
      name,
    })),
  };
};

/**
 * @param {string} text
 * @param {number} offset
 */
const lineOf = (text, offset) => text.slice(0, offset).split('\n').length;

/** @typedef {ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>} Imports names by imported file, by importing
 *   file */

/**
 * @param {readonly SourceFile[]} sources
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
