import { posix } from 'node:path';
import { joints } from './way-joints.mjs';

/**
 * The ways through the house that are kept short, and how short: so many files in so many folders.
 * @type {ReadonlyMap<string, { readonly files: number, readonly folders: number }>}
 */
export const wayLimits = new Map([
  ['microphone to websocket', { files: 10, folders: 6 }],
  ['delta to speaker callback', { files: 9, folders: 5 }],
  ['click to silence', { files: 11, folders: 7 }],
  ['camera to append', { files: 14, folders: 7 }],
  ['search to list', { files: 10, folders: 5 }],
]);

/** Ways that are shown as well, however long they are. @type {ReadonlySet<string>} */
export const unlimitedWays = new Set([
  'sound card to microphone stream',
  'speaker stream to sound card',
  'notice to screen',
  'queue update to screen',
  'limit warning to screen',
  'interrupt to server',
  'error sentence',
  'wire to tape line',
]);

/**
 * @typedef {object} Way
 * @property {string} name
 * @property {readonly string[]} files from the first to the last, as one would open them
 */

/**
 * @param {string} text of a page with fenced blocks: "```way NAME", a file a line, which two spaces
 *   and a remark may follow
 * @returns {Way[]}
 */
export const readWays = (text) =>
  [...text.matchAll(/^```way +(.+?) *\n(.*?)^``` *$/gms)].map(([, name = '', block = '']) => ({
    name,
    files: block
      .split('\n')
      .map((line) => line.trim().split(/ {2,}/)[0] ?? '')
      .filter((file) => file !== ''),
  }));

/** @param {Way} way */
const foldersOf = ({ files }) => new Set(files.map((file) => posix.dirname(file))).size;

/** @typedef {import('./file-imports.mjs').Imports} Imports */

/**
 * What a reader can follow from one file of a way to the next, without knowing the house:
 *
 * - One imports the other, whichever of them: a caller the function or type that it calls, or one that
 *   takes part the place where it puts itself in.
 * - Where both only import the file between them, a port, it must be the same name that they take from
 *   there: one asks it, the other is it. Anything else that both happen to know leads nowhere.
 * - A call that has come back goes on from where it was: a file that is still on the path to here, as a
 *   stack has it, imports the next, or is imported by the next, which listens to it.
 *
 * - Between one that asks a port and one that is it there may be others that are it, too, and hand on.
 *
 * That both are joined by a third, off the way, does not count: there go-to-definition ends.
 * @param {Way} way
 * @param {Imports} imports
 * @returns {string[]} the links that are broken, a sentence each
 */
const brokenLinks = ({ name, files }, imports) => {
  /** @param {string} one @param {string} other */
  const takes = (one, other) => imports.get(one)?.get(other);
  /** @param {string} one @param {string} other */
  const isJoint = (one, other) => {
    const by = joints.get(`${one} ${other}`);
    return by === undefined
      ? joints.has(`${one} ${other}`)
      : takeTheSame(takesThrough(imports), by, one, other);
  };
  /** @type {string[]} from the first file to the one before, without what has come back */
  const path = [];
  /** @type {string[]} */
  const broken = [];
  for (const file of files) {
    const before = path.at(-1);
    if (before === undefined) {
      path.push(file);
      continue;
    }
    if (
      takes(before, file) ||
      isJoint(before, file) ||
      isSamePort(path, file, takes) ||
      (takes(file, before) && !meetsByChance(path, file, takes))
    ) {
      path.push(file);
      continue;
    }
    const caller = path.findLastIndex(
      (earlier, step) =>
        takes(earlier, file) ||
        isJoint(earlier, file) ||
        (takes(file, earlier) && !meetsByChance(path.slice(0, step + 1), file, takes)),
    );
    if (caller === -1) broken.push(`${name}: ${before} does not reach ${file}.`);
    else path.length = caller + 1;
    path.push(file);
  }
  return broken;
};

/** @typedef {(one: string, other: string) => ReadonlySet<string> | undefined} Takes */

/**
 * @param {Takes} takes
 * @param {string} port
 * @param {string} one
 * @param {string} other
 * @returns {boolean} whether both take the same name from there
 */
const takeTheSame = (takes, port, one, other) => {
  const names = takes(other, port);
  return names !== undefined && [...(takes(one, port) ?? [])].some((name) => names.has(name));
};

/**
 * @param {Imports} imports
 * @returns {Takes} what a file takes from another, also by one that hands the name on
 */
const takesThrough = (imports) => (one, other) => {
  /** @type {Set<string>} */
  const names = new Set(imports.get(one)?.get(other));
  for (const [between, taken] of imports.get(one) ?? [])
    for (const name of imports.get(between)?.get(other) ?? []) if (taken.has(name)) names.add(name);
  return names;
};

/**
 * @param {readonly string[]} path
 * @param {string} file
 * @param {Takes} takes
 * @returns {boolean} whether it takes the same from a port as the last of the path, which follows the port
 */
const isSamePort = (path, file, takes) => {
  const [port = '', last = ''] = path.slice(-2);
  return takeTheSame(takes, port, last, file);
};

/**
 * @param {readonly string[]} path
 * @param {string} file that imports the last of the path
 * @param {Takes} takes
 * @returns {boolean} whether the one before the last takes something else from it
 */
const meetsByChance = (path, file, takes) => {
  const [caller, port] = path.slice(-2);
  if (caller === undefined || port === undefined) return false;
  const asked = takes(caller, port);
  const given = takes(file, port);
  if (asked === undefined || given === undefined || asked.has('*') || given.has('*')) return false;
  return ![...asked].some((name) => given.has(name));
};

/**
 * @param {readonly Way[]} ways
 * @param {Imports} imports of every file of the product
 * @returns {string[]} everything that is wrong with them, a sentence each
 */
export const judgeWays = (ways, imports) => [
  ...[...wayLimits.keys(), ...unlimitedWays]
    .filter((name) => !ways.some((way) => way.name === name))
    .map((name) => `${name}: docs/architecture.md does not show this way.`),
  ...ways.flatMap((way) => {
    const { name, files } = way;
    const missing = files.filter((file) => !imports.has(file));
    const twice = files.filter((file, index) => files.indexOf(file) !== index);
    const limit = wayLimits.get(name);
    return [
      ...(limit === undefined && !unlimitedWays.has(name)
        ? [`${name}: scripts/lib/ways.mjs says nothing of its length.`]
        : []),
      ...missing.map((file) => `${name}: there is no ${file}.`),
      ...twice.map((file) => `${name}: ${file} stands there twice.`),
      ...(missing.length > 0 ? [] : brokenLinks(way, imports)),
      ...(limit !== undefined && (files.length > limit.files || foldersOf(way) > limit.folders)
        ? [`${name}: ${lengthOf(way)}, where ${limit.files} in ${limit.folders} are the most.`]
        : []),
    ];
  }),
];

/** @param {Way} way */
export const lengthOf = (way) => `${way.files.length} files in ${foldersOf(way)} folders`;

/**
 * They only call what they are given, and that stands on the way: what waits goes through the clock, and
 * whoever tells another catches its errors.
 */
const onEveryWay = new Set(['electron/platform/system/system-clock.ts', 'shared/listeners.ts']);

/**
 * @param {Way} way
 * @param {readonly string[]} walked the files that waited for the last call of the way to come back
 * @returns {string[]} those that the way does not name
 */
export const leftOut = ({ files }, walked) =>
  walked.filter((file) => !files.includes(file) && !onEveryWay.has(file));

/**
 * @param {string} from
 * @param {string} to
 * @param {Imports} imports
 * @returns {string[] | undefined} the fewest files of which each reaches the next; a beginning for a
 *   way, not the way that a call takes
 */
export const shortestPath = (from, to, imports) => {
  /** @type {Map<string, Set<string>>} */
  const importedBy = new Map([...imports.keys()].map((file) => [file, new Set()]));
  for (const [file, others] of imports)
    for (const other of others.keys()) importedBy.get(other)?.add(file);
  /** @param {string} one @param {string} other */
  const takes = (one, other) => imports.get(one)?.get(other);

  // Two ways to a file are two, as what may follow depends on the one before it.
  const paths = [[from]];
  const seen = new Set();
  for (const path of paths) {
    const file = path.at(-1) ?? from;
    if (file === to) return path;
    const nexts = [...(imports.get(file)?.keys() ?? [])].filter((next) => imports.has(next));
    for (const next of importedBy.get(file) ?? [])
      if (!meetsByChance(path, next, takes)) nexts.push(next);
    for (const next of nexts) {
      const step = `${file} ${next}`;
      if (!seen.has(step)) paths.push([...path, next]);
      seen.add(step);
    }
  }
  return undefined;
};
