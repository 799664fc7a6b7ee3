import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { importsOf, filesIn, productFolders, readSources } from './lib/source-files.mjs';
import { describeLength, readCallPaths } from './lib/call-paths.mjs';

// `node scripts/tree-numbers.mjs` prints the size of the product's tree and how scattered it is. Gates enforce limits.

const sources = readSources(productFolders);
const imports = importsOf(sources);
const productFiles = new Set(sources.map(({ file }) => file));

/** @type {Map<string, Set<string>>} the product's files that import each file */
const importers = new Map();
for (const [file, from] of imports)
  for (const imported of from.keys())
    if (productFiles.has(imported) && imported !== file)
      importers.set(imported, (importers.get(imported) ?? new Set()).add(file));

/** @param {string} text */
const countLines = (text) => text.split('\n').length - 1;

/** @param {import('./lib/source-files.mjs').SourceFile} source */
const isFragment = ({ file, text }) =>
  countLines(text) < 30 && importers.has(file) && !/(^|\/)(ports|i18n)\//.test(file);

/** @param {string} file */
const hasOneNeighbour = (file) => {
  const [importer, ...others] = importers.get(file) ?? [];
  return (
    importer !== undefined && others.length === 0 && posix.dirname(importer) === posix.dirname(file)
  );
};

/** @param {(file: string) => boolean} matches */
const sumLines = (matches) =>
  filesIn(productFolders)
    .filter(matches)
    .reduce((sum, file) => sum + countLines(readFileSync(file, 'utf8')), 0);

const lengths = sources.map(({ text }) => countLines(text)).toSorted((a, b) => a - b);

/** @type {readonly (readonly [string, number | string | undefined])[]} */
const rows = [
  ['product files (ts, tsx)', sources.length],
  ['median lines', lengths[lengths.length >> 1]],
  ['longest file', lengths.at(-1)],
  ['files under 30 lines, without entries, texts and ports', sources.filter(isFragment).length],
  [
    'files with one importer, beside it',
    sources.filter(({ file }) => hasOneNeighbour(file)).length,
  ],
  ['product lines (ts, tsx)', sumLines((file) => /\.tsx?$/.test(file))],
  ['product lines with css and C++', sumLines((file) => /\.(?:tsx?|css|cc|h)$/.test(file))],
  [
    'import statements',
    sources.reduce((sum, { text }) => sum + (text.match(/^import\b/gm)?.length ?? 0), 0),
  ],
  ...['docs/architecture.md', 'docs/call-paths.md']
    .flatMap((page) => readCallPaths(readFileSync(page, 'utf8')))
    .map(
      (callPath) => /** @type {const} */ ([`call path ${callPath.name}`, describeLength(callPath)]),
    ),
];

for (const [name, count] of rows) console.log(`${name}: ${count}`);
