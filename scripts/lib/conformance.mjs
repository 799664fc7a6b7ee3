import { posix } from 'node:path';

/**
 * @typedef {object} Statement
 * @property {string} id its document's letter and its number in it
 * @property {string} says
 * @property {readonly string[]} files in which it is done
 * @property {readonly { file: string, title: string }[]} tests that show it
 * @property {string} like the id of a statement that says the same, where only that has the rest
 * @property {'done' | 'partly' | 'missing' | 'contradicting'} state
 */

const row =
  /^\| *(?<id>[A-Z]\d+)(?:–[A-Z](?<last>\d+))? *\|(?<says>[^|]*)\|(?<where>[^|]*)\|(?<shown>.*)\| *$/gm;

/** @param {string} id its letter and number @param {number} step @returns {string} the id that many numbers later */
const laterId = (id, step) => `${id.slice(0, 1)}${Number(id.slice(1)) + step}`;

/**
 * @param {string} page with one row a statement: | id | statement | `file` … | `test` “title” … |. The last cell may
 *   have "partly: why" or "missing: why". "as X12" replaces both cells. "Y3–Y5" with "as X12–X14" is three statements.
 * @returns {Statement[]}
 */
export const readStatements = (page) =>
  [...page.matchAll(row)].flatMap(({ groups = {} }) => {
    const { id = '', last = id.slice(1), says = '', where = '', shown = '' } = groups;
    const [, state] = /\b(partly|missing|contradicting):/.exec(shown) ?? [];
    const [, like] = /^as ([A-Z]\d+)(?:–[A-Z]\d+)?$/.exec(where.trim()) ?? [];
    return Array.from({ length: Number(last) - Number(id.slice(1)) + 1 }, (_, step) => ({
      id: laterId(id, step),
      says: says.trim(),
      files: [...where.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
      tests: [...shown.matchAll(/`([^`]+)` “([^”]+)”/g)].map(([, file = '', title = '']) => ({
        file,
        title,
      })),
      like: like === undefined ? '' : laterId(like, step),
      state: /** @type {Statement['state']} */ (state ?? 'done'),
    }));
  });

/**
 * @param {readonly Statement[]} statements
 * @param {{ files: readonly string[], textOf: (file: string) => string }} tree all files of it, by their paths
 * @returns {string[]} what is wrong, a sentence each
 */
export const judgeStatements = (statements, { files, textOf }) => {
  /** @type {Map<string, string[]>} */
  const byName = new Map();
  for (const file of files) {
    const name = posix.basename(file);
    byName.set(name, [...(byName.get(name) ?? []), file]);
  }
  /** @param {string} name a path, or a file's name where only one has it @returns {string | undefined} */
  const find = (name) => {
    if (name.includes('/')) return files.includes(name) ? name : undefined;
    const found = byName.get(name) ?? [];
    return found.length === 1 ? found[0] : undefined;
  };
  const known = new Set(statements.map(({ id }) => id));
  const wrong = statements.length === 0 ? ['There is no statement.'] : [];
  /** @type {Map<string, number>} */
  const last = new Map();
  for (const { id, files: named, tests, like, state } of statements) {
    const [letter = '', number] = [id[0], Number(id.slice(1))];
    if (number !== (last.get(letter) ?? 0) + 1) wrong.push(`${id} does not follow the one before.`);
    last.set(letter, number);
    if (like !== '') {
      if (!known.has(like) || like === id) wrong.push(`${id} is as ${like}, which there is not.`);
      continue;
    }
    for (const file of named) {
      if (find(file) === undefined) wrong.push(`${id} names ${file}, which is no one file here.`);
    }
    for (const { file, title } of tests) {
      const path = find(file);
      if (path === undefined) wrong.push(`${id} names ${file}, which is no one file here.`);
      else if (!textOf(path).includes(title)) wrong.push(`${id}: ${file} has no “${title}”.`);
    }
    if (state === 'done' && (named.length === 0 || tests.length === 0)) {
      wrong.push(`${id} is said to be done, and names no file or no test.`);
    }
  }
  return wrong;
};

/** @param {readonly Statement[]} statements @returns {string} how many there are of each state */
export const countStatements = (statements) => {
  const byId = new Map(statements.map((statement) => [statement.id, statement]));
  /** @param {Statement} statement @returns {Statement['state']} */
  const stateOf = ({ like, state }) => byId.get(like)?.state ?? state;
  const states = /** @type {const} */ (['done', 'partly', 'missing', 'contradicting']);
  const counts = states.map(
    (state) => `${statements.filter((one) => stateOf(one) === state).length} ${state}`,
  );
  return `${statements.length} statements: ${counts.join(', ')}`;
};
