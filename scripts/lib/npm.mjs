import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { plainLines, run } from './run.mjs';
import { Stop } from './stop.mjs';
import { which } from './which.mjs';

/** @returns {string[]} the command that is npm: the one that started us, or else that of PATH */
const npmCommand = () => {
  const own = process.env['npm_execpath'];
  // Under yarn or pnpm the variable names those, which do not know `ci`.
  if (own !== undefined && /^npm(-cli)?\.[cm]?js$/.test(basename(own)) && existsSync(own)) {
    return [process.execPath, own];
  }
  const found = which('npm');
  if (found !== undefined) return [found];
  throw new Stop('npm was not found: install Node.js together with npm and start Parley again.');
};

/** @returns {NodeJS.ProcessEnv} lets node-gyp take the headers that came with this Node, if any */
const environment = () => {
  const env = { ...process.env };
  const prefix = dirname(dirname(process.execPath));
  const own = env['npm_config_nodedir'] ?? env['NPM_CONFIG_NODEDIR'];
  if (own === undefined && existsSync(join(prefix, 'include', 'node', 'node_api.h'))) {
    env['npm_config_nodedir'] = prefix;
  }
  return env;
};

/** @type {readonly (readonly [RegExp, string])[]} */
const KNOWN_FAILURES = [
  [
    /E(NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|TIMEDOUT)|ERR_SOCKET_TIMEOUT|network request/,
    'the package registry could not be reached: check the connection',
  ],
  [/ENOSPC/, 'the disk is full: make room'],
  [/EACCES|EPERM/, 'a file may not be written: check who owns this folder'],
  [/gyp ERR!/, 'the audio binding did not compile: look for the first error in the log'],
  [/EUSAGE|in sync/, 'package.json and package-lock.json do not agree: restore both'],
];

/** @param {string} output */
const cause = (output) => {
  const known = KNOWN_FAILURES.find(([pattern]) => pattern.test(output));
  if (known !== undefined) return known[1];
  const said = plainLines(output)
    .map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim())
    .filter(
      (line) => line !== '' && !/^(code|errno|syscall|path|command|A complete log)\b/.test(line),
    );
  const last = said.at(-1)?.replace(/\.$/, '') ?? 'it said nothing';
  return `${last}: delete node_modules`;
};

/**
 * Installs exactly what the lock file says, silently; what npm said is shown only when it failed.
 * @returns {Promise<void>}
 */
export const npmCi = async () => {
  const [command = 'npm', ...first] = npmCommand();
  // The build tools are development dependencies, which NODE_ENV=production would leave out.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code, output } = await run(command, [...first, ...args], { env: environment() });
  if (code === 0) return;
  const log = join(mkdtempSync(join(tmpdir(), 'parley-')), 'npm-ci.log');
  writeFileSync(log, output);
  throw new Stop(
    `The dependencies could not be installed, ${cause(output)} and start Parley again (npm's full output is in ${log}).`,
  );
};
