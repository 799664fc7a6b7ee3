import { existsSync, readFileSync } from 'node:fs';
import { plainLines } from './run.mjs';

/**
 * The results of a test runner.
 * @typedef {object} Tally
 * @property {number} passed
 * @property {readonly TestResult[]} failed
 * @property {readonly TestResult[]} skipped
 * @property {readonly TestResult[]} flaky failed first and passed when retried
 * @property {readonly Timed[]} slowest slowest first
 *
 * @typedef {{ name: string, reason: string }} TestResult
 * @typedef {{ name: string, seconds: number }} Timed
 */

/** @type {Tally} */
export const emptyTally = { passed: 0, failed: [], skipped: [], flaky: [], slowest: [] };

/**
 * Timing and window tests can fail when a shared machine stalls. Up to four tests may pass on retry; each is reported as
 * flaky.
 */
const maxFlaky = 4;

/**
 * @param {Tally} tally
 * @returns {string[]} a line per flaky test
 */
export const describeFlakyTests = ({ flaky }) =>
  flaky.map(({ name, reason }) => `FLAKY: ${name}: passed only when retried: ${reason}`);

/**
 * @param {readonly Timed[]} timed
 * @returns {Timed[]} the ten slowest
 */
export const keepSlowest = (timed) => timed.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10);

/**
 * @param {readonly Tally[]} tallies
 * @returns {Tally}
 */
export const addUp = (tallies) => ({
  passed: tallies.reduce((sum, { passed }) => sum + passed, 0),
  failed: tallies.flatMap(({ failed }) => failed),
  skipped: tallies.flatMap(({ skipped }) => skipped),
  flaky: tallies.flatMap(({ flaky }) => flaky),
  slowest: keepSlowest(tallies.flatMap(({ slowest }) => slowest)),
});

/**
 * A run without a passed test is a failure.
 * @param {Tally} tally
 * @returns {boolean}
 */
export const succeeded = ({ passed, failed, flaky }) =>
  failed.length === 0 && passed > 0 && flaky.length <= maxFlaky;

/**
 * Counts a crash of the runner (an exit code without a failed test) as a failure.
 * @param {string} runner
 * @param {Tally} tally
 * @param {number} exitCode
 * @returns {Tally}
 */
export const countCrash = (runner, tally, exitCode) =>
  exitCode !== 0 && tally.failed.length === 0
    ? { ...tally, failed: [{ name: runner, reason: `ended with exit code ${exitCode}` }] }
    : tally;

/**
 * @param {string} file
 * @returns {unknown} undefined if the runner did not write the file
 */
export const readReport = (file) =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;

/**
 * @param {string | undefined} message
 * @returns {string} the first line, without colours
 */
export const firstLine = (message) => plainLines(message ?? '')[0]?.trim() ?? 'no reason given';

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
export const tallyPlaywrightReport = (report) => {
  const loose = (report.errors ?? []).map(({ message }) => ({
    name: 'outside of any test',
    reason: firstLine(message),
  }));
  return addUp([tallyPlaywrightSuite(report), { ...emptyTally, failed: loose }]);
};

/**
 * @param {PlaywrightSuite} suite
 * @returns {Tally}
 */
const tallyPlaywrightSuite = ({ suites = [], specs = [] }) =>
  addUp([
    ...suites.map(tallyPlaywrightSuite),
    ...specs.flatMap((spec) => spec.tests.map((test) => tallyPlaywrightTest(spec, test))),
  ]);

/**
 * @param {PlaywrightSpec} spec
 * @param {PlaywrightTest} test
 * @returns {Tally}
 */
const tallyPlaywrightTest = (
  { title, file, line },
  { status, projectName, annotations, results = [] },
) => {
  const error = results.find((result) => result.error !== undefined)?.error?.message;
  const place = { name: `${projectName}: ${file}:${line}: ${title}`, reason: firstLine(error) };
  const seconds = results.reduce((sum, { duration = 0 }) => sum + duration, 0) / 1000;
  const ran = { ...emptyTally, passed: 1, slowest: [{ name: place.name, seconds }] };
  if (status === 'expected') return ran;
  if (status === 'flaky') return { ...ran, flaky: [place] };
  if (status !== 'skipped') return { ...emptyTally, failed: [place] };
  const reason = firstLine(annotations.find(({ type }) => type === 'skip')?.description);
  return { ...emptyTally, skipped: [{ name: `${projectName}: ${title}`, reason }] };
};
