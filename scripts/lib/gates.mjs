import { readFileSync } from 'node:fs';
import { inRoot, rootDir } from './root.mjs';
import { run } from './run.mjs';

/**
 * A gate is a tool that checks the source. Each runs as `node tool args`, without a shell or PATH, in the tree that it
 * checks.
 * @typedef {object} Gate
 * @property {string} name
 * @property {boolean} [isSlow] `npm run check` leaves it out without `--all`
 * @property {readonly string[]} command the tool's path, from node_modules, and its arguments
 * @property {string} [script] a script that parses the sources; such gates can share a process
 */

/**
 * @typedef {object} GateResult
 * @property {boolean} passed
 * @property {string} output
 */

/**
 * @param {string} name
 * @returns {Gate} of the script with the gate's name
 */
const sourceGate = (name) => {
  const script = `scripts/${name.replaceAll(' ', '-')}.mjs`;
  return { name, script, command: [`../${script}`] };
};

/** @returns {readonly Gate[]} a type gate per runtime, as the root tsconfig lists them: the largest first */
const typeGates = () => {
  /** @type {{ references: { path: string }[] }} */
  const { references } = JSON.parse(readFileSync(inRoot('tsconfig.json'), 'utf8'));
  return references.map(({ path }) => {
    const runtime = /([\w-]+)\.json$/.exec(path)?.[1] ?? path;
    // Incremental: tsc rechecks only what changed.
    const buildInfo = `node_modules/.cache/types/${runtime}.tsbuildinfo`;
    const incremental = ['--incremental', '--tsBuildInfoFile', buildInfo];
    // Gates run beside each other already, and each further checker infers the shared types again.
    const oneChecker = ['--checkers', '1'];
    return {
      name: `types ${runtime}`,
      command: ['typescript/bin/tsc', '-p', path, ...incremental, ...oneChecker],
    };
  });
};

const lint = ['oxlint/bin/oxlint', '--type-aware', '--deny-warnings'];

const folders = ['shared', 'electron', 'renderer', 'test'];

/** The slowest come first, because two run at a time. @type {readonly Gate[]} */
export const gates = [
  { name: 'members', isSlow: true, command: ['../scripts/unused-members.mjs'] },
  { name: 'lint', isSlow: true, command: lint },
  ...typeGates(),
  { name: 'dead code', isSlow: true, command: ['knip/bin/knip.js'] },
  {
    name: 'layers',
    isSlow: true,
    command: [
      'dependency-cruiser/bin/dependency-cruise.mjs',
      '--config',
      '.dependency-cruiser.cjs',
      ...folders,
    ],
  },
  { name: 'format', command: ['oxfmt/bin/oxfmt', '--check', '.'] },
  sourceGate('test-only exports'),
  sourceGate('vocabulary'),
  sourceGate('unique names'),
  sourceGate('prose'),
  sourceGate('casts'),
  sourceGate('call paths'),
  sourceGate('conformance'),
  sourceGate('hidden imports'),
];

/**
 * Gates that `npm test` leaves to `npm run check` and `npm run test:all`, because together they take nearly three minutes of
 * processor time. The types of the tests include the whole product; those of a runtime add only which globals it has.
 */
const nightlyGates = new Set([
  'members',
  'lint',
  'dead code',
  ...['scripts', 'pure', 'node', 'renderer', 'preload'].map((runtime) => `types ${runtime}`),
]);

/**
 * The gates of `npm test`. It lints the tests without the rules that need types.
 * @type {readonly Gate[]}
 */
export const defaultGates = [
  { name: 'lint', command: [...lint, 'shared', 'electron', 'renderer', 'scripts'] },
  { name: 'lint tests', command: ['oxlint/bin/oxlint', '--deny-warnings', 'test'] },
  ...gates.filter(({ name }) => !nightlyGates.has(name)),
];

/**
 * @param {string} pattern of a tsconfig, such as `../shared/**\/*`
 * @returns {RegExp} for paths from the project's root
 */
const patternToRegExp = (pattern) => {
  const parts = pattern.replace(/^\.\.\//, '').split(/(\*\*\/|\*)/);
  const source = parts.map((part) => {
    if (part === '**/') return '(.*/)?';
    return part === '*' ? '[^/]*' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${source.join('')}(/|$)`);
};

/**
 * @param {string} runtime
 * @param {readonly string[]} files
 * @returns {boolean} whether the runtime's tsconfig includes one of the files
 */
const includesOneOf = (runtime, files) => {
  /** @type {{ include: string[], exclude?: string[] }} */
  const { include, exclude = [] } = JSON.parse(
    readFileSync(inRoot('tsconfig', `${runtime}.json`), 'utf8'),
  );
  const included = include.map(patternToRegExp);
  const excluded = exclude.map(patternToRegExp);
  return files.some(
    (file) =>
      included.some((pattern) => pattern.test(file)) &&
      !excluded.some((pattern) => pattern.test(file)),
  );
};

/**
 * The linter for the edited files, and the quick gates. The types of the tests are always checked, because the tests import
 * nearly the whole product; those of another runtime only if it includes an edited file.
 * @param {readonly string[]} files
 * @returns {readonly Gate[]}
 */
export const gatesBetweenEdits = (files) => {
  const quick = gates.filter(({ name, isSlow }) => {
    const runtime = /^types (.+)$/.exec(name)?.[1];
    if (runtime === undefined || runtime === 'test') return isSlow !== true;
    return includesOneOf(runtime, files);
  });
  return files.length === 0 ? quick : [{ name: 'lint', command: [...lint, ...files] }, ...quick];
};

/**
 * `npm test` runs sound tests at the same time, which fail if they get too little processor time. On a loaded machine a gate
 * may then take several minutes. The compiler and the linter's types are written in Go: collecting garbage less often saves
 * them a sixth of their processor time, for a quarter more memory.
 */
const aside = {
  lowPriority: true,
  timeoutMs: 900_000,
  env: { GOGC: '400', ...process.env },
};

/** @param {import('./run.mjs').RunResult} result */
const explain = ({ timedOut, output }) =>
  timedOut ? `It did not end within ${aside.timeoutMs / 60_000} minutes.\n${output}` : output;

/**
 * @param {Gate} gate
 * @param {string} [tree] the checkout to check
 * @returns {Promise<GateResult>}
 */
export const runGate = async ({ command: [tool = '', ...args] }, tree = rootDir) => {
  const path = inRoot('node_modules', tool);
  const ended = await run(process.execPath, [path, ...args], { cwd: tree, ...aside });
  return { passed: ended.code === 0, output: explain(ended) };
};

/**
 * Runs gates that have a script in one process, which parses each source once.
 * @param {readonly Gate[]} chosen
 * @returns {Promise<readonly (GateResult & { seconds: number })[]>} in the same order
 */
export const runSourceGates = async (chosen) => {
  const scripts = chosen.map(({ script = '' }) => script);
  const runner = inRoot('scripts', 'lib', 'source-gates.mjs');
  const ended = await run(process.execPath, [runner, ...scripts], aside);
  const lines = ended.output.split('\n');
  return chosen.map((_, index) => readResult(lines[index] ?? '') ?? crashed(explain(ended)));
};

/**
 * @param {string} line
 * @returns {import('./source-gates.mjs').SourceGateResult | undefined}
 */
const readResult = (line) => {
  try {
    return /** @type {import('./source-gates.mjs').SourceGateResult} */ (JSON.parse(line));
  } catch {
    return undefined;
  }
};

/** @param {string} output */
const crashed = (output) => ({ passed: false, output, seconds: 0 });
