import { posix } from 'node:path';
import { joints } from './way-joints.mjs';

/**
 * Ways whose length is limited, and the limits. A way is a list of files in docs/architecture.md or docs/ways.md that a
 * call or value passes through.
 * @type {ReadonlyMap<string, { readonly files: number, readonly folders: number }>}
 */
export const wayLimits = new Map([
  ['microphone to websocket', { files: 10, folders: 6 }],
  ['delta to speaker callback', { files: 9, folders: 5 }],
  ['click to silence', { files: 11, folders: 7 }],
  ['camera to append', { files: 14, folders: 7 }],
  ['search to list', { files: 10, folders: 5 }],
]);

/** Ways without a limit. @type {ReadonlySet<string>} */
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
 * @property {readonly string[]} files in order
 */

/**
 * @param {string} text of a page with fenced blocks: "```way NAME", then one file per line, optionally followed by two
 *   spaces and a remark
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
const countFolders = ({ files }) => new Set(files.map((file) => posix.dirname(file))).size;

/** @typedef {import('./file-imports.mjs').Imports} Imports */

/**
 * Finds links that go-to-definition cannot follow. These links count.
 *
 * - One file imports the other, in either direction. A caller imports what it calls, a listener imports where it registers.
 * - Both import the same name from the file between them, a port. One uses the port, the other implements it.
 * - A call has returned. An earlier file that is still on the call stack imports the next or is imported by it.
 * - A port links its user to its implementation. Other implementations may forward the call.
 *
 * A third file that joins two files but is not on the way does not count.
 * @param {Way} way
 * @param {Imports} imports
 * @returns {string[]} broken links, one sentence each
 */
const brokenLinks = ({ name, files }, imports) => {
  /** @param {string} one @param {string} other */
  const getImportedNames = (one, other) => imports.get(one)?.get(other);
  /** @param {string} one @param {string} other */
  const isJoint = (one, other) => {
    const by = joints.get(`${one} ${other}`);
    return by === undefined
      ? joints.has(`${one} ${other}`)
      : shareName(withReExports(imports), by, one, other);
  };
  /** @type {string[]} the call stack: the files up to here, without calls that have returned */
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
      getImportedNames(before, file) ||
      isJoint(before, file) ||
      sharesPort(path, file, getImportedNames) ||
      (getImportedNames(file, before) && !sharesOnlyFile(path, file, getImportedNames))
    ) {
      path.push(file);
      continue;
    }
    const caller = path.findLastIndex(
      (earlier, step) =>
        getImportedNames(earlier, file) ||
        isJoint(earlier, file) ||
        (getImportedNames(file, earlier) &&
          !sharesOnlyFile(path.slice(0, step + 1), file, getImportedNames)),
    );
    if (caller === -1) broken.push(`${name}: ${before} does not reach ${file}.`);
    else path.length = caller + 1;
    path.push(file);
  }
  return broken;
};

/** @typedef {(one: string, other: string) => ReadonlySet<string> | undefined} GetImportedNames */

/**
 * @param {GetImportedNames} getImportedNames
 * @param {string} port
 * @param {string} one
 * @param {string} other
 * @returns {boolean} whether both files import the same name from the port
 */
const shareName = (getImportedNames, port, one, other) => {
  const names = getImportedNames(other, port);
  return (
    names !== undefined && [...(getImportedNames(one, port) ?? [])].some((name) => names.has(name))
  );
};

/**
 * @param {Imports} imports
 * @returns {GetImportedNames} includes names that come through a re-exporting file
 */
const withReExports = (imports) => (one, other) => {
  /** @type {Set<string>} */
  const names = new Set(imports.get(one)?.get(other));
  for (const [between, taken] of imports.get(one) ?? [])
    for (const name of imports.get(between)?.get(other) ?? []) if (taken.has(name)) names.add(name);
  return names;
};

/**
 * @param {readonly string[]} path
 * @param {string} file
 * @param {GetImportedNames} getImportedNames
 * @returns {boolean} whether the file imports the same name from a port as the last file of the path does
 */
const sharesPort = (path, file, getImportedNames) => {
  const [port = '', last = ''] = path.slice(-2);
  return shareName(getImportedNames, port, last, file);
};

/**
 * @param {readonly string[]} path
 * @param {string} file imports the last file of the path
 * @param {GetImportedNames} getImportedNames
 * @returns {boolean} whether the last file's caller imports only other names from it
 */
const sharesOnlyFile = (path, file, getImportedNames) => {
  const [caller, port] = path.slice(-2);
  if (caller === undefined || port === undefined) return false;
  const asked = getImportedNames(caller, port);
  const given = getImportedNames(file, port);
  if (asked === undefined || given === undefined || asked.has('*') || given.has('*')) return false;
  return ![...asked].some((name) => given.has(name));
};

/**
 * @param {readonly Way[]} ways
 * @param {Imports} imports of every file of the product
 * @returns {string[]} problems, one sentence each
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
        ? [`${name}: scripts/lib/ways.mjs has no limit for this way.`]
        : []),
      ...missing.map((file) => `${name}: ${file} does not exist.`),
      ...twice.map((file) => `${name}: ${file} occurs twice.`),
      ...(missing.length > 0 ? [] : brokenLinks(way, imports)),
      ...(limit !== undefined && (files.length > limit.files || countFolders(way) > limit.folders)
        ? [
            `${name}: ${describeLength(way)}, more than the limit of ${limit.files} in ${limit.folders}.`,
          ]
        : []),
    ];
  }),
];

/** @param {Way} way */
export const describeLength = (way) => `${way.files.length} files in ${countFolders(way)} folders`;

/**
 * Infrastructure that any way may pass through: timers go through the clock, and events through the listener list.
 */
const infrastructure = new Set(['electron/platform/system/system-clock.ts', 'shared/listeners.ts']);

/**
 * @param {Way} way
 * @param {readonly string[]} walked files on the call stack of the way's last call
 * @returns {string[]} walked files that the way does not list
 */
export const findUnlistedFiles = ({ files }, walked) =>
  walked.filter((file) => !files.includes(file) && !infrastructure.has(file));

/**
 * @param {string} from
 * @param {string} to
 * @param {Imports} imports
 * @returns {string[] | undefined} the shortest chain of files; a draft for a way, because a call may take another
 */
export const shortestPath = (from, to, imports) => {
  /** @type {Map<string, Set<string>>} */
  const importedBy = new Map([...imports.keys()].map((file) => [file, new Set()]));
  for (const [file, others] of imports)
    for (const other of others.keys()) importedBy.get(other)?.add(file);
  /** @param {string} one @param {string} other */
  const getImportedNames = (one, other) => imports.get(one)?.get(other);

  // Searches edges, not files, because the allowed next files depend on the previous one.
  const paths = [[from]];
  const seen = new Set();
  for (const path of paths) {
    const file = path.at(-1) ?? from;
    if (file === to) return path;
    const nexts = [...(imports.get(file)?.keys() ?? [])].filter((next) => imports.has(next));
    for (const next of importedBy.get(file) ?? [])
      if (!sharesOnlyFile(path, next, getImportedNames)) nexts.push(next);
    for (const next of nexts) {
      const step = `${file} ${next}`;
      if (!seen.has(step)) paths.push([...path, next]);
      seen.add(step);
    }
  }
  return undefined;
};
