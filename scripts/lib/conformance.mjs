import { posix } from 'node:path';

// Checks docs/conformance.md: each statement of the protocol's documents names files that exist and titles of tests.

/**
 * @typedef {object} Statement
 * @property {string} id the document's letter and the statement's number in it, such as `A12`
 * @property {readonly string[]} files that implement it
 * @property {readonly { file: string, title: string }[]} tests that check it
 * @property {string} sameAs the id of a statement that says the same and lists files and tests; empty for most
 * @property {'done' | 'partly' | 'missing' | 'contradicting'} state
 */

const row =
  /^\| *(?<id>[A-Z]\d+)(?:–[A-Z](?<last>\d+))? *\|[^|]*\|(?<where>[^|]*)\|(?<shown>.*)\| *$/gm;

/** @param {string} id such as `A12` @param {number} step @returns {string} the id `step` numbers later */
const laterId = (id, step) => `${id.slice(0, 1)}${Number(id.slice(1)) + step}`;

/**
 * @param {string} page with one table row per statement: | id | statement | `file` … | `test` “title” … |. The last cell may
 *   have "partly: why", "missing: why" or "contradicting: why". "as X12" replaces both cells. "Y3–Y5" with "as X12–X14" is three statements.
 * @returns {Statement[]}
 */
export const readStatements = (page) =>
  [...page.matchAll(row)].flatMap(({ groups = {} }) => {
    const { id = '', last = id.slice(1), where = '', shown = '' } = groups;
    const [, state] = /\b(partly|missing|contradicting):/.exec(shown) ?? [];
    const [, sameAs] = /^as ([A-Z]\d+)(?:–[A-Z]\d+)?$/.exec(where.trim()) ?? [];
    return Array.from({ length: Number(last) - Number(id.slice(1)) + 1 }, (_, step) => ({
      id: laterId(id, step),
      files: [...where.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
      tests: [...shown.matchAll(/`([^`]+)` “([^”]+)”/g)].map(([, file = '', title = '']) => ({
        file,
        title,
      })),
      sameAs: sameAs === undefined ? '' : laterId(sameAs, step),
      state: /** @type {Statement['state']} */ (state ?? 'done'),
    }));
  });

/**
 * @param {readonly Statement[]} statements
 * @param {{ files: readonly string[], readText: (file: string) => string }} tree every file by path
 * @returns {string[]} problems, one sentence each
 */
export const judgeStatements = (statements, { files, readText }) => {
  /** @type {Map<string, string[]>} */
  const byName = new Map();
  for (const file of files) {
    const name = posix.basename(file);
    byName.set(name, [...(byName.get(name) ?? []), file]);
  }
  /** @param {string} name a path, or a unique file name @returns {string | undefined} */
  const find = (name) => {
    if (name.includes('/')) return files.includes(name) ? name : undefined;
    const found = byName.get(name) ?? [];
    return found.length === 1 ? found[0] : undefined;
  };
  const known = new Set(statements.map(({ id }) => id));
  const problems = statements.length === 0 ? ['The page has no statements.'] : [];
  /** @type {Map<string, number>} */
  const last = new Map();
  for (const { id, files: named, tests, sameAs, state } of statements) {
    const [letter = '', number] = [id[0], Number(id.slice(1))];
    if (number !== (last.get(letter) ?? 0) + 1)
      problems.push(`${id} does not follow the one before.`);
    last.set(letter, number);
    if (sameAs !== '') {
      if (!known.has(sameAs) || sameAs === id)
        problems.push(`${id} refers to ${sameAs}, which does not exist.`);
      continue;
    }
    for (const file of named) {
      if (find(file) === undefined)
        problems.push(`${id} names ${file}, which is missing or ambiguous.`);
    }
    for (const { file, title } of tests) {
      const path = find(file);
      if (path === undefined) problems.push(`${id} names ${file}, which is missing or ambiguous.`);
      else if (!readText(path).includes(title)) problems.push(`${id}: ${file} has no “${title}”.`);
    }
    if (state === 'done' && (named.length === 0 || tests.length === 0)) {
      problems.push(`${id} is marked done, but names no file or no test.`);
    }
  }
  return problems;
};

/** @param {readonly Statement[]} statements @returns {string} a count per state */
export const countStatements = (statements) => {
  const byId = new Map(statements.map((statement) => [statement.id, statement]));
  /** @param {Statement} statement @returns {Statement['state']} */
  const getState = ({ sameAs, state }) => byId.get(sameAs)?.state ?? state;
  const states = /** @type {const} */ (['done', 'partly', 'missing', 'contradicting']);
  const counts = states.map(
    (state) => `${statements.filter((statement) => getState(statement) === state).length} ${state}`,
  );
  return `${statements.length} statements: ${counts.join(', ')}`;
};
