import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { planE2e } from './e2e-projects.mjs';
import { inRoot } from './root.mjs';
import { run } from './run.mjs';
import { say } from './say.mjs';
import {
  addUp,
  emptyTally,
  firstLine,
  countCrash,
  readReport,
  tallyPlaywrightReport,
} from './tally.mjs';

/** @typedef {import('./tally.mjs').Tally} Tally */
/** @typedef {import('./tally.mjs').PlaywrightSuite} PlaywrightSuite */
/** @typedef {import('./tally.mjs').PlaywrightReport} PlaywrightReport */

/**
 * The e2e tests in every host that this machine can run.
 * @typedef {object} E2e
 * @property {() => Promise<Tally>} pack builds the package for the `packaged` project, if that project runs here
 * @property {() => Promise<Tally>} run counts tests of missing hosts as skipped
 * @property {() => void} end
 */

/**
 * @param {string} [only] part of the paths of the specs to run
 * @returns {Promise<E2e>}
 */
export const openE2e = async (only) => {
  if (only !== undefined && !isInPathOfSpec(only)) return noE2e;
  const plan = await planE2e();
  let { projects } = plan;
  return {
    pack: async () => {
      if (!projects.includes('packaged')) return emptyTally;
      const packed = await pack(plan.env);
      if (packed.failed.length > 0) projects = projects.filter((name) => name !== 'packaged');
      return packed;
    },
    run: async () => {
      const skipped = await Promise.all(
        plan.skipped.map(async ({ project, reason }) => ({
          ...emptyTally,
          skipped: (await listTests(project)).map((name) => ({
            name: `${project}: ${name}`,
            reason,
          })),
        })),
      );
      const ran = projects.length === 0 ? emptyTally : await runProjects(projects, only, plan.env);
      return addUp([ran, ...skipped]);
    },
    end: plan.end,
  };
};

/** @type {E2e} */
const noE2e = {
  pack: () => Promise.resolve(emptyTally),
  run: () => Promise.resolve(emptyTally),
  end: () => undefined,
};

/** @param {string} part */
const isInPathOfSpec = (part) =>
  readdirSync(inRoot('test', 'e2e'), { recursive: true, encoding: 'utf8' }).some(
    (file) => file.endsWith('.spec.ts') && `test/e2e/${file}`.includes(part),
  );

/**
 * Packs the app with the same command that people use.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Tally>}
 */
const pack = async (env) => {
  const { code, output } = await run(process.execPath, [inRoot('scripts', 'dist.mjs'), 'dir'], {
    env,
    lowPriority: true,
  });
  if (code !== 0) say(`FAILED  package\n${output.trimEnd()}`);
  return code === 0
    ? { ...emptyTally, passed: 1 }
    : { ...emptyTally, failed: [{ name: 'package', reason: firstLine(output) }] };
};

/**
 * @param {readonly string[]} projects
 * @param {string | undefined} only
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Tally>}
 */
const runProjects = async (projects, only, env) => {
  const named = only === undefined ? [] : [only, '--pass-with-no-tests'];
  const { code, report } = await playwright(projects, named, env, true);
  return countCrash(
    'playwright',
    report === undefined ? emptyTally : tallyPlaywrightReport(report),
    code,
  );
};

/**
 * @param {string} project
 * @returns {Promise<string[]>}
 */
const listTests = async (project) => {
  const { report } = await playwright([project], ['--list'], process.env, false);
  return report === undefined ? ['all its tests'] : titlesIn(report);
};

/**
 * @param {PlaywrightSuite} suite
 * @returns {string[]}
 */
const titlesIn = ({ suites = [], specs = [] }) => [
  ...suites.flatMap(titlesIn),
  ...specs.map(({ title }) => title),
];

/**
 * @param {readonly string[]} projects
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @param {boolean} inherit
 */
const playwright = async (projects, args, env, inherit) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-tally-'));
  const file = join(folder, 'playwright.json');
  const cli = inRoot('node_modules', '@playwright', 'test', 'cli.js');
  const chosen = projects.map((project) => `--project=${project}`);
  const { code } = await run(process.execPath, [cli, 'test', ...chosen, ...args], {
    inherit,
    env: { ...env, PARLEY_TALLY: file },
  });
  const report = /** @type {PlaywrightReport | undefined} */ (readReport(file));
  rmSync(folder, { recursive: true, force: true });
  return { code, report };
};
