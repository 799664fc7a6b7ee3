import { existsSync, readFileSync } from 'node:fs';

/**
 * What a runner counted.
 * @typedef {object} Tally
 * @property {number} passed
 * @property {number} failed
 * @property {readonly { name: string, reason: string }[]} skipped
 * @property {readonly string[]} [unsteady] failed, and passed when they were tried once more
 */

/** @type {Tally} */
export const emptyTally = { passed: 0, failed: 0, skipped: [] };

/**
 * A window on a machine of many tenants loses a second now and then, and its test with it: one or two in 300. More
 * than these are a fault.
 */
const toleratedUnsteady = 3;

/**
 * @param {readonly Tally[]} tallies
 * @returns {Tally}
 */
export const addUp = (tallies) => ({
  passed: tallies.reduce((sum, { passed }) => sum + passed, 0),
  failed: tallies.reduce((sum, { failed }) => sum + failed, 0),
  skipped: tallies.flatMap(({ skipped }) => skipped),
  unsteady: tallies.flatMap(({ unsteady = [] }) => unsteady),
});

/**
 * Nothing that ran is no success either.
 * @param {Tally} tally
 * @returns {boolean}
 */
export const succeeded = ({ passed, failed, unsteady = [] }) =>
  failed === 0 && passed > 0 && unsteady.length <= toleratedUnsteady;

/**
 * A runner that ended badly without counting a failure still failed: a crash must not look green.
 * @param {Tally} tally
 * @param {number} exitCode
 * @returns {Tally}
 */
export const honest = (tally, exitCode) =>
  exitCode !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;

/**
 * @param {string} file
 * @returns {unknown} what is in the file, or nothing where the runner never wrote it
 */
export const readReport = (file) =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;

/**
 * @typedef {{ title: string, tests: { status: string, projectName: string,
 *   annotations: { type: string, description?: string }[] }[] }} PlaywrightSpec
 * @typedef {{ suites?: PlaywrightSuite[], specs?: PlaywrightSpec[] }} PlaywrightSuite
 */

/**
 * @param {PlaywrightSuite} suite Playwright's JSON report, or a suite of it
 * @returns {Tally}
 */
export const tallyOfPlaywright = ({ suites = [], specs = [] }) =>
  addUp([...suites.map(tallyOfPlaywright), ...specs.flatMap(tallyOfSpec)]);

/**
 * @param {PlaywrightSpec} spec
 * @returns {Tally[]}
 */
const tallyOfSpec = ({ title, tests }) =>
  tests.map(({ status, projectName, annotations }) => {
    if (status === 'expected') return { ...emptyTally, passed: 1 };
    if (status === 'flaky') {
      return { ...emptyTally, passed: 1, unsteady: [`${projectName}: ${title}`] };
    }
    if (status !== 'skipped') return { ...emptyTally, failed: 1 };
    const reason = annotations.find(({ type }) => type === 'skip')?.description;
    return {
      ...emptyTally,
      skipped: [{ name: `${projectName}: ${title}`, reason: reason ?? 'no reason given' }],
    };
  });
