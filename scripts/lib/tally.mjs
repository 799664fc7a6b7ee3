import { existsSync, readFileSync } from 'node:fs';

/**
 * What a runner counted.
 * @typedef {object} Tally
 * @property {number} passed
 * @property {readonly Named[]} failed
 * @property {readonly Named[]} skipped
 * @property {readonly Named[]} unsteady failed, and passed when they were tried once more
 * @property {readonly Timed[]} slowest the tests that took longest, the longest first
 *
 * @typedef {{ name: string, reason: string }} Named
 * @typedef {{ name: string, seconds: number }} Timed
 */

/** @type {Tally} */
export const emptyTally = { passed: 0, failed: [], skipped: [], unsteady: [], slowest: [] };

/**
 * A machine of many tenants loses a second now and then, and a test of time or of a window with it: one or two in
 * 6000. Each is a fault to be mended, and more than these are too many.
 */
const toleratedUnsteady = 4;

/**
 * Names of tests that are known to pass at their second try only, while nobody has mended them. None is to be left
 * here: a quick test says so.
 * @type {readonly string[]}
 */
export const knownUnsteady = [];

/**
 * @param {Tally} tally
 * @param {readonly string[]} [known]
 * @returns {string[]} a line for each test that is to be mended, those that are known and were steady this time too
 */
export const faultsToMend = ({ unsteady }, known = knownUnsteady) => [
  ...unsteady.map(
    ({ name, reason }) => `FAULT to be mended: ${name}: passed only at its second try: ${reason}`,
  ),
  ...known
    .filter((name) => unsteady.every((one) => one.name !== name))
    .map((name) => `FAULT to be mended: ${name}: known as one that needs a second try`),
];

/**
 * @param {readonly Timed[]} timed
 * @returns {Timed[]} the ten that took longest
 */
export const keepSlowest = (timed) =>
  timed.toSorted((one, other) => other.seconds - one.seconds).slice(0, 10);

/**
 * @param {readonly Tally[]} tallies
 * @returns {Tally}
 */
export const addUp = (tallies) => ({
  passed: tallies.reduce((sum, { passed }) => sum + passed, 0),
  failed: tallies.flatMap(({ failed }) => failed),
  skipped: tallies.flatMap(({ skipped }) => skipped),
  unsteady: tallies.flatMap(({ unsteady }) => unsteady),
  slowest: keepSlowest(tallies.flatMap(({ slowest }) => slowest)),
});

/**
 * Nothing that ran is no success either.
 * @param {Tally} tally
 * @returns {boolean}
 */
export const succeeded = ({ passed, failed, unsteady }) =>
  failed.length === 0 && passed > 0 && unsteady.length <= toleratedUnsteady;

/**
 * A runner that ended badly without counting a failure still failed: a crash must not look green.
 * @param {string} runner
 * @param {Tally} tally
 * @param {number} exitCode
 * @returns {Tally}
 */
export const honest = (runner, tally, exitCode) =>
  exitCode !== 0 && tally.failed.length === 0
    ? { ...tally, failed: [{ name: runner, reason: `ended with exit code ${exitCode}` }] }
    : tally;

/**
 * @param {string} file
 * @returns {unknown} what is in the file, or nothing where the runner never wrote it
 */
export const readReport = (file) =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;

/** Control sequences of terminals, which runners put into their reasons. */
const inColour = new RegExp(`${String.fromCodePoint(27)}\\[[0-9;]*m`, 'gu');

/**
 * @param {string | undefined} message
 * @returns {string} its first line: enough to know a failure by
 */
export const firstLine = (message) =>
  (message ?? '').replaceAll(inColour, '').trim().split('\n', 1)[0] || 'no reason given';

/**
 * @typedef {{ status: string, projectName: string,
 *   annotations: { type: string, description?: string }[],
 *   results?: { duration?: number, error?: { message?: string } }[] }} PlaywrightTest
 * @typedef {{ title: string, file: string, line: number, tests: PlaywrightTest[] }} PlaywrightSpec
 * @typedef {{ suites?: PlaywrightSuite[], specs?: PlaywrightSpec[] }} PlaywrightSuite
 * @typedef {PlaywrightSuite & { errors?: { message?: string }[] }} PlaywrightReport
 */

/**
 * @param {PlaywrightReport} report Playwright's JSON report
 * @returns {Tally}
 */
export const tallyOfPlaywright = (report) => {
  const loose = (report.errors ?? []).map(({ message }) => ({
    name: 'outside of any test',
    reason: firstLine(message),
  }));
  return addUp([tallyOfSuite(report), { ...emptyTally, failed: loose }]);
};

/**
 * @param {PlaywrightSuite} suite
 * @returns {Tally}
 */
const tallyOfSuite = ({ suites = [], specs = [] }) =>
  addUp([
    ...suites.map(tallyOfSuite),
    ...specs.flatMap((spec) => spec.tests.map((test) => tallyOfTest(spec, test))),
  ]);

/**
 * @param {PlaywrightSpec} spec
 * @param {PlaywrightTest} test
 * @returns {Tally}
 */
const tallyOfTest = ({ title, file, line }, { status, projectName, annotations, results = [] }) => {
  const error = results.find((result) => result.error !== undefined)?.error?.message;
  const place = { name: `${projectName}: ${file}:${line}: ${title}`, reason: firstLine(error) };
  const seconds = results.reduce((sum, { duration = 0 }) => sum + duration, 0) / 1000;
  const ran = { ...emptyTally, passed: 1, slowest: [{ name: place.name, seconds }] };
  if (status === 'expected') return ran;
  if (status === 'flaky') return { ...ran, unsteady: [place] };
  if (status !== 'skipped') return { ...emptyTally, failed: [place] };
  const reason = firstLine(annotations.find(({ type }) => type === 'skip')?.description);
  return { ...emptyTally, skipped: [{ name: `${projectName}: ${title}`, reason }] };
};
