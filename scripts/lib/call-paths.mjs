import { posix } from 'node:path';
import { indirectLinks } from './indirect-links.mjs';

/**
 * Call paths whose length is limited, and the limits. A call path is a list of files in docs/architecture.md or
 * docs/call-paths.md that a call or value passes through.
 * @type {ReadonlyMap<string, { readonly files: number, readonly folders: number }>}
 */
export const callPathLimits = new Map([
  ['microphone to websocket', { files: 10, folders: 6 }],
  ['delta to speaker callback', { files: 9, folders: 5 }],
  ['click to silence', { files: 10, folders: 7 }],
  ['camera to append', { files: 12, folders: 7 }],
  ['search to list', { files: 10, folders: 5 }],
]);

/** Call paths without a limit. @type {ReadonlySet<string>} */
export const unlimitedCallPaths = new Set([
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
 * @typedef {object} CallPath
 * @property {string} name
 * @property {readonly string[]} files in order
 */

/**
 * @param {string} text of a page with fenced blocks: "```path NAME", then a file per line, optionally followed by two spaces and
 *   a remark
 * @returns {CallPath[]}
 */
export const readCallPaths = (text) =>
  [...text.matchAll(/^```path +(.+?) *\n(.*?)^``` *$/gms)].map(([, name = '', block = '']) => ({
    name,
    files: block
      .split('\n')
      .map((line) => line.trim().split(/ {2,}/)[0] ?? '')
      .filter((file) => file !== ''),
  }));

/** @param {CallPath} callPath */
const countFolders = ({ files }) => new Set(files.map((file) => posix.dirname(file))).size;

/** @typedef {import('./source-files.mjs').Imports} Imports */

/**
 * Reports each step of a call path that the imports do not explain. A step is explained if:
 *
 * - one file imports the other. A caller imports the file it calls; a listener imports the file where it registers;
 * - both files import the same name from the port between them. One uses the port, the other implements it;
 * - a call has returned, and an earlier file on the call stack imports the next file or is imported by it;
 * - indirect-links.mjs lists the two files.
 * @param {CallPath} callPath
 * @param {Imports} imports
 * @returns {string[]} unexplained steps, one sentence each
 */
const findUnexplainedSteps = ({ name, files }, imports) => {
  /** @param {string} one @param {string} other */
  const getImportedNames = (one, other) => imports.get(one)?.get(other);
  /** @param {string} from @param {string} to */
  const isIndirectLink = (from, to) => {
    const port = indirectLinks.get(`${from} ${to}`);
    return port === undefined
      ? indirectLinks.has(`${from} ${to}`)
      : shareName(withReExports(imports), port, from, to);
  };
  /** @type {string[]} the call stack: the files up to here, without calls that have returned */
  const path = [];
  /** @type {string[]} */
  const unexplained = [];
  for (const file of files) {
    const before = path.at(-1);
    if (before === undefined) {
      path.push(file);
      continue;
    }
    if (
      getImportedNames(before, file) ||
      isIndirectLink(before, file) ||
      sharesPort(path, file, getImportedNames) ||
      (getImportedNames(file, before) && !sharesOnlyFile(path, file, getImportedNames))
    ) {
      path.push(file);
      continue;
    }
    const caller = path.findLastIndex(
      (earlier, step) =>
        getImportedNames(earlier, file) ||
        isIndirectLink(earlier, file) ||
        (getImportedNames(file, earlier) &&
          !sharesOnlyFile(path.slice(0, step + 1), file, getImportedNames)),
    );
    if (caller === -1) unexplained.push(`${name}: ${before} does not reach ${file}.`);
    else path.length = caller + 1;
    path.push(file);
  }
  return unexplained;
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
  const callerNames = getImportedNames(caller, port);
  const fileNames = getImportedNames(file, port);
  if (callerNames === undefined || fileNames === undefined) return false;
  if (callerNames.has('*') || fileNames.has('*')) return false;
  return ![...callerNames].some((name) => fileNames.has(name));
};

/**
 * @param {readonly CallPath[]} callPaths
 * @param {Imports} imports of every file of the product
 * @returns {string[]} problems, one sentence each
 */
export const checkCallPaths = (callPaths, imports) => [
  ...[...callPathLimits.keys(), ...unlimitedCallPaths]
    .filter((name) => !callPaths.some((callPath) => callPath.name === name))
    .map(
      (name) =>
        `${name}: neither docs/architecture.md nor docs/call-paths.md shows this call path.`,
    ),
  ...callPaths.flatMap((callPath) => {
    const { name, files } = callPath;
    const missing = files.filter((file) => !imports.has(file));
    const twice = files.filter((file, index) => files.indexOf(file) !== index);
    const limit = callPathLimits.get(name);
    return [
      ...(limit === undefined && !unlimitedCallPaths.has(name)
        ? [`${name}: scripts/lib/call-paths.mjs does not list this call path.`]
        : []),
      ...missing.map((file) => `${name}: ${file} does not exist.`),
      ...twice.map((file) => `${name}: ${file} occurs twice.`),
      ...(missing.length > 0 ? [] : findUnexplainedSteps(callPath, imports)),
      ...(limit !== undefined &&
      (files.length > limit.files || countFolders(callPath) > limit.folders)
        ? [
            `${name}: ${describeLength(callPath)}; the limit is ${limit.files} files in ${limit.folders} folders.`,
          ]
        : []),
    ];
  }),
];

/** @param {CallPath} callPath */
export const describeLength = (callPath) =>
  `${callPath.files.length} files in ${countFolders(callPath)} folders`;

/**
 * @param {string} from
 * @param {string} to
 * @param {Imports} imports
 * @returns {string[] | undefined} the shortest chain of files: a draft, because a call may take a longer path
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
