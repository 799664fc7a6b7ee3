import { existsSync, readFileSync } from 'node:fs';

/**
 * What a runner counted.
 * @typedef {object} Tally
 * @property {number} passed
 * @property {number} failed
 * @property {readonly { name: string, reason: string }[]} skipped
 */

/** @type {Tally} */
export const emptyTally = { passed: 0, failed: 0, skipped: [] };

/**
 * @param {readonly Tally[]} tallies
 * @returns {Tally}
 */
export const addUp = (tallies) => ({
  passed: tallies.reduce((sum, { passed }) => sum + passed, 0),
  failed: tallies.reduce((sum, { failed }) => sum + failed, 0),
  skipped: tallies.flatMap(({ skipped }) => skipped),
});

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
    if (status !== 'skipped') return { ...emptyTally, failed: 1 };
    const reason = annotations.find(({ type }) => type === 'skip')?.description;
    return {
      ...emptyTally,
      skipped: [{ name: `${projectName}: ${title}`, reason: reason ?? 'no reason given' }],
    };
  });
