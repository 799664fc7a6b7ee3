import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { rootDir } from './root.mjs';
import { plainLines, run, which } from './run.mjs';
import { Stop } from './stop.mjs';

/** @returns {string[]} the npm that started this script, or else npm from PATH */
const npmCommand = () => {
  const runningNpm = process.env['npm_execpath'];
  // Under yarn or pnpm the variable names that tool, which has no `ci` command.
  if (
    runningNpm !== undefined &&
    /^npm(-cli)?\.[cm]?js$/.test(basename(runningNpm)) &&
    existsSync(runningNpm)
  ) {
    return [process.execPath, runningNpm];
  }
  const found = which('npm');
  if (found !== undefined) return [found];
  throw new Stop('npm was not found: install Node.js together with npm and start Parley again.');
};

/** @returns {NodeJS.ProcessEnv} points node-gyp at the headers shipped with this Node, if any */
export const nodeHeaders = () => {
  const prefix = dirname(dirname(process.execPath));
  const configured = process.env['npm_config_nodedir'] ?? process.env['NPM_CONFIG_NODEDIR'];
  const hasHeaders = existsSync(join(prefix, 'include', 'node', 'node_api.h'));
  return configured === undefined && hasHeaders ? { npm_config_nodedir: prefix } : {};
};

/** Patterns of npm's output, each with the cause and the first thing to do. @type {readonly (readonly [RegExp, string])[]} */
const knownFailures = [
  [
    /E(NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|TIMEDOUT)|ERR_SOCKET_TIMEOUT|network request/,
    'the package registry could not be reached. Check the connection',
  ],
  [/ENOSPC/, 'the disk is full. Make room'],
  [/EACCES|EPERM/, 'a file may not be written. Check who owns this folder'],
  [/gyp ERR!/, 'the audio binding did not compile. Look for the first error in the log'],
  [/EUSAGE|in sync/, 'package.json and package-lock.json do not agree. Restore both'],
];

/** @param {string} output */
const cause = (output) => {
  const known = knownFailures.find(([pattern]) => pattern.test(output));
  if (known !== undefined) return known[1];
  const messages = plainLines(output)
    .map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim())
    .filter(
      (line) => line !== '' && !/^(code|errno|syscall|path|command|A complete log)\b/.test(line),
    );
  const last = messages.at(-1)?.replace(/\.$/, '') ?? 'no output';
  return `${last}. Delete node_modules`;
};

/**
 * @param {readonly string[]} args
 * @param {string} cwd
 */
export const npm = (args, cwd) => {
  const [command = 'npm', ...first] = npmCommand();
  return run(command, [...first, ...args], { cwd, env: { ...process.env, ...nodeHeaders() } });
};

/**
 * Installs what the lock file says, without output. A failure names a log file with npm's output.
 * @param {{ scripts: boolean }} options whether install scripts run
 * @returns {Promise<void>}
 */
export const npmCi = async ({ scripts }) => {
  // NODE_ENV=production would omit the build tools, which are development dependencies.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code, output } = await npm(scripts ? args : [...args, '--ignore-scripts'], rootDir);
  if (code === 0) return;
  const log = join(mkdtempSync(join(tmpdir(), 'parley-')), 'npm-ci.log');
  writeFileSync(log, output);
  throw new Stop(
    `The dependencies could not be installed: ${cause(output)} and start Parley again (npm's full output is in ${log}).`,
  );
};
