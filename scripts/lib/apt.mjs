import { readFileSync } from 'node:fs';
import { mayInstall } from './install-consent.mjs';
import { plainLines, run } from './run.mjs';
import { say } from './say.mjs';
import { Stop } from './stop.mjs';
import { which } from './which.mjs';

/** @returns {boolean} whether this is Debian, Ubuntu or a relative, with its package tool */
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
const byHand = (packages) => `${isRoot() ? '' : 'sudo '}apt-get install -y ${packages.join(' ')}`;

/**
 * Newer releases call some libraries `…t64`; which name a machine knows is asked of its own lists.
 * @param {readonly string[]} packages
 * @returns {Promise<string[]>}
 */
const nameForThisRelease = async (packages) => {
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

// Another package manager may be at work for a moment, and a network that is down must not hang us.
const CALM = ['-o', 'DPkg::Lock::Timeout=60', '-o', 'Acquire::http::Timeout=20'];

/**
 * Installs Debian packages, or stops with the one line to run where we are not able or not allowed to.
 * @param {readonly string[]} packages
 * @returns {Promise<void>}
 */
export const aptInstall = async (packages) => {
  if (!isRoot() || !(await mayInstall(packages))) {
    const names = await nameForThisRelease(packages);
    const other = isRoot() ? ', or start it with --yes to have it done' : '';
    throw new Stop(
      `Parley needs system packages: run "${byHand(names)}" and start it again${other}.`,
    );
  }
  say(`Installing system packages: ${packages.join(', ')}…`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // The lists of an image may be old or absent. When they cannot be had the install itself tells.
  await run('apt-get', [...CALM, 'update'], { env });
  const names = await nameForThisRelease(packages);
  const args = [...CALM, 'install', '-y', '--no-install-recommends', ...names];
  const { code, output } = await run('apt-get', args, { env });
  if (code === 0) return;
  const reason = plainLines(output).findLast((line) => line.startsWith('E: '));
  const said = reason === undefined ? `exit code ${code}` : reason.slice(3).replace(/\.$/, '');
  throw new Stop(
    `apt-get could not install ${names.join(', ')} (${said}): run "apt-get update" and "${byHand(names)}" by hand, then start Parley again.`,
  );
};
