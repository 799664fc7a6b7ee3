import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { say } from './say.mjs';
import { plainLines, run, which } from './run.mjs';
import { Stop } from './stop.mjs';

/** Whether Parley may install these packages. Tests and builds install what they need; `npm start` asks first. @type {(packages: readonly string[]) => Promise<boolean>} */
let mayInstall = () => Promise.resolve(true);

/**
 * Makes {@link aptInstall} ask the user first. Without a terminal it then refuses, except in CI or with `yes`.
 * @param {{ yes: boolean }} options
 */
export const askBeforeInstalling = ({ yes }) => {
  const inCi = !['', 'false', '0'].includes(process.env['CI'] ?? '');
  if (yes || inCi) return;
  mayInstall = async (packages) => {
    if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
    say(`Parley needs system packages: ${packages.join(', ')}.`);
    const prompt = createInterface({ input: process.stdin, output: process.stderr });
    try {
      const answer = await prompt.question('Install them now with apt-get? [y/N] ');
      return /^y(es)?$/i.test(answer.trim());
    } catch {
      // Ctrl-C or Ctrl-D. The code is that of a program which Ctrl-C ends, so that nothing else is opened instead.
      throw new Stop('\nInterrupted.', 130);
    } finally {
      prompt.close();
    }
  };
};

/** @returns {boolean} whether this is Debian, Ubuntu or a derivative, with apt-get */
export const hasApt = () => {
  if (process.platform !== 'linux' || which('apt-get') === undefined) return false;
  try {
    return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false;
  }
};

const isRoot = () => process.getuid?.() === 0;

/** @param {readonly string[]} packages */
const installCommand = (packages) =>
  `${isRoot() ? '' : 'sudo '}apt-get install -y ${packages.join(' ')}`;

/**
 * Newer releases suffix some library names with `t64`; apt-cache knows which names exist here.
 * @param {readonly string[]} packages
 * @returns {Promise<string[]>}
 */
const namesForThisRelease = async (packages) => {
  const names = packages.flatMap((name) => [name, `${name}t64`]);
  const { code, output } = await run('apt-cache', ['policy', ...names]);
  if (code !== 0) return [...packages];
  /** @param {string} name */
  const installable = (name) =>
    output.split(/^(?=\S)/m).some((entry) => {
      return entry.startsWith(`${name}:`) && /^ +Candidate: (?!\(none\))/m.test(entry);
    });
  return packages.map((name) => {
    return !installable(name) && installable(`${name}t64`) ? `${name}t64` : name;
  });
};

// Waits a minute for another package manager to finish, and gives up after 20 s if a server does not answer.
const timeoutOptions = ['-o', 'DPkg::Lock::Timeout=60', '-o', 'Acquire::http::Timeout=20'];

/**
 * Installs Debian packages. Without root rights or consent it throws an error that names the command to run.
 * @param {readonly string[]} packages
 * @returns {Promise<void>}
 */
export const aptInstall = async (packages) => {
  if (!isRoot() || !(await mayInstall(packages))) {
    const names = await namesForThisRelease(packages);
    const hint = isRoot() ? ', or start it with --yes to install them' : '';
    throw new Stop(
      `Parley needs system packages: run "${installCommand(names)}" and start it again${hint}.`,
    );
  }
  say(`Installing system packages: ${packages.join(', ')}…`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // A container image may have old lists or none. If this fails, the install reports it.
  await run('apt-get', [...timeoutOptions, 'update'], { env });
  const names = await namesForThisRelease(packages);
  const args = [...timeoutOptions, 'install', '-y', '--no-install-recommends', ...names];
  const { code, output } = await run('apt-get', args, { env });
  if (code === 0) return;
  const reason = plainLines(output).findLast((line) => line.startsWith('E: '));
  const cause = reason === undefined ? `exit code ${code}` : reason.slice(3).replace(/\.$/, '');
  throw new Stop(
    `apt-get could not install ${names.join(', ')} (${cause}): run "apt-get update" and "${installCommand(names)}" by hand, then start Parley again.`,
  );
};
