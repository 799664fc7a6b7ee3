import { readFileSync } from 'node:fs';
import { Visitor } from 'vite';
import { filesIn, productFolders, readSources } from './lib/source-files.mjs';

// A gate: the code uses every term of docs/glossary.md, and no name uses a word that a term has replaced. In tests it also
// looks at the names of local variables, functions and types.

/**
 * Names that Parley used before it adopted the field's terms, with their replacements from docs/glossary.md. No file,
 * folder, export or local name of a test may use them again.
 *
 * A `word` matches one or more whole words of a name, also in the plural: 'eye' matches `open-eyes.ts`, but not `keyed`.
 * A `first` matches only the first word of a name, and a `name` only the whole name.
 * @type {readonly ({ readonly instead: string } & (
 *   { readonly word: string } | { readonly first: string } | { readonly name: string }))[]}
 */
const retiredWords = [
  { word: 'desk', instead: 'controller, or app context of the page' },
  { word: 'care', instead: 'policy, conversation monitor' },
  { word: 'caretaker', instead: 'conversation monitor' },
  { word: 'course', instead: 'talk lifecycle, session context' },
  { word: 'happening', instead: 'session input' },
  { word: 'wish', instead: 'session command' },
  { word: 'eye', instead: 'capture controller' },
  { word: 'shutter', instead: 'frame grabber' },
  { word: 'door', instead: 'capture permission, services' },
  { word: 'doorkeeper', instead: 'what it checks' },
  { word: 'seeing', instead: 'vision, frame pipeline' },
  { word: 'ear', instead: 'uplink path, voice detector' },
  { word: 'lobby', instead: 'worker pool' },
  { word: 'visit', instead: 'connection context' },
  { word: 'manners', instead: 'server profile' },
  { word: 'simulator', instead: 'gateway' },
  { word: 'errand', instead: 'remote command' },
  { word: 'deed', instead: 'remote action' },
  { word: 'conduct', instead: 'run' },
  { word: 'hands', instead: 'action context' },
  { word: 'settings room', instead: 'UI state' },
  { word: 'sound turn', instead: 'device lock' },
  { word: 'sound use', instead: 'lease' },
  { word: 'sound news', instead: 'device event' },
  { word: 'resting', instead: 'idle-closing' },
  { word: 'late socket', instead: 'lazy sockets' },
  { word: 'stream keeper', instead: 'stream supervisor' },
  { word: 'talk gate', instead: 'transmit gate' },
  { word: 'dip', instead: 'ducking' },
  { word: 'shelf', instead: 'cache' },
  { word: 'matter', instead: 'payload' },
  { word: 'particular', instead: 'common fields' },
  { word: 'figure', instead: 'stats, counters' },
  { word: 'need', instead: 'deps' },
  { word: 'or refuse', instead: 'unwrap' },
  { first: 'most', instead: 'max…' },
  { first: 'largest', instead: 'max…' },
  { first: 'longest', instead: 'max…' },
  { first: 'least', instead: 'min…' },
  { first: 'fewest', instead: 'min…' },
  { first: 'shortest', instead: 'min…' },
  { first: 'smallest', instead: 'min…' },
  { first: 'usual', instead: 'default…' },
  { name: 'within', instead: 'withTimeout' },
  { name: 'tell', instead: 'emit' },
];

/**
 * Splits `openEye`, `OpenEye`, `open-eye` or `OPEN_EYE` into lower-case words.
 * @param {string} name
 * @returns {string[]}
 */
const splitName = (name) =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== '');

/**
 * @param {string} word
 * @returns {readonly string[]} the word and its possible plurals
 */
const pluralForms = (word) => [
  word,
  `${word}s`,
  `${word}es`,
  word.replace(/y$/, 'ies'),
  word.replace(/f$/, 'ves'),
];

/**
 * @param {readonly string[]} words of a name
 * @param {readonly string[]} sought consecutive words, each also matched in the plural
 * @returns {number} their position in the name, or -1
 */
const indexOfWords = (words, sought) =>
  words.findIndex((_, at) =>
    sought.every((word, step) => pluralForms(word).includes(words[at + step] ?? '')),
  );

const glossary = 'docs/glossary.md';
const folders = [...productFolders, 'scripts', 'test'];

/** @type {Map<string, string>} names of files, folders and exports, and the first place of each */
const names = new Map();
for (const file of filesIn(folders)) {
  const parts = file.replace(/\.[^/]*$/, '').split('/');
  for (const part of parts) if (!names.has(part)) names.set(part, file);
}
const sources = readSources(folders);
for (const { file, exported } of sources)
  for (const { name, line } of exported) if (!names.has(name)) names.set(name, `${file}:${line}`);

/**
 * @param {import('./lib/source-files.mjs').SourceFile} source
 * @returns {readonly (readonly [name: string, start: number])[]} the variables, functions and types that it declares
 */
const declaredNames = ({ program }) => {
  /** @type {[string, number][]} */
  const declared = [];
  /** @param {{ id: { type: string } | null }} declaration */
  const add = ({ id }) => {
    if (id !== null && id.type === 'Identifier' && 'name' in id && 'start' in id)
      declared.push([String(id.name), Number(id.start)]);
  };
  new Visitor({
    VariableDeclarator: add,
    FunctionDeclaration: add,
    ClassDeclaration: add,
    TSInterfaceDeclaration: add,
    TSTypeAliasDeclaration: add,
  }).visit(program);
  return declared;
};

/** @type {Map<string, string>} */
const localNames = new Map();
for (const source of sources.filter(({ file }) => file.startsWith('test/')))
  for (const [name, start] of declaredNames(source))
    if (!names.has(name) && !localNames.has(name))
      localNames.set(name, `${source.file}:${source.text.slice(0, start).split('\n').length}`);

/** @type {string[]} */
const found = [];

for (const [name, place] of [...names, ...localNames]) {
  const words = splitName(name);
  for (const retired of retiredWords) {
    const isRetired =
      'name' in retired
        ? name === retired.name
        : 'first' in retired
          ? words[0] === retired.first && words.length > 1
          : indexOfWords(words, retired.word.split(' ')) !== -1;
    const [, word] = Object.entries(retired).find(([key]) => key !== 'instead') ?? [];
    if (isRetired)
      found.push(`${place}: "${name}" has the retired word "${word}". Use: ${retired.instead}.`);
  }
}

/** @returns {string | undefined} */
const readGlossary = () => {
  try {
    return readFileSync(glossary, 'utf8');
  } catch {
    found.push(`${glossary} is missing. List Parley's terms as "- **word**: meaning".`);
    return undefined;
  }
};

const text = readGlossary();
if (text !== undefined) {
  const entries = [...text.matchAll(/^- \*\*(.+?)\*\*(:\s*\S)?/gm)].map(
    ([, word = '', meaning]) => ({ word, meaning }),
  );
  if (entries.length === 0)
    found.push(`${glossary} has no entry of the form "- **word**: meaning".`);
  const all = [...names.keys()].map(splitName);
  const seen = new Set();
  for (const { word, meaning } of entries) {
    if (meaning === undefined)
      found.push(`${glossary}: "${word}" has no definition after a colon.`);
    if (seen.has(word)) found.push(`${glossary}: "${word}" is defined twice.`);
    seen.add(word);
    if (!all.some((words) => indexOfWords(words, splitName(word)) !== -1))
      found.push(`${glossary}: no file, folder or export uses "${word}" in its name.`);
  }
}

for (const line of found) console.log(line);
process.exitCode = found.length > 0 ? 1 : 0;
