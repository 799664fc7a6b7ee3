import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileParts } from '../native/compile-parts.mjs';
import { nativeTarget } from '../native/native-target.mjs';
import {
  compiledSize,
  installedPackages,
  matchesLock,
  missingPackages,
} from './installed-packages.mjs';
import { npmCi } from './npm.mjs';
import { inRoot } from './root.mjs';
import { say } from './say.mjs';
import { Stop } from './stop.mjs';

const STAMP = inRoot('node_modules', '.parley-install');

/** The parts of package.json that decide what npm installs; a new script must not reinstall all. */
const DECIDING = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'overrides',
  'allowScripts',
];

/** @returns {string} our own addons, which are compiled by the installation too */
const nativeSources = () => {
  const folder = inRoot('electron', 'audio', 'native');
  if (!existsSync(folder)) return '';
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(cc?|h|gyp|cjs|json)$/.test(file) && !file.startsWith('build'))
    .toSorted()
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
};

/** @returns {string} names what should be installed, on this Node and machine */
const fingerprint = () => {
  try {
    const lock = readFileSync(inRoot('package-lock.json'));
    /** @type {Record<string, unknown>} */
    const manifest = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
    const { platform, arch, versions } = process;
    return createHash('sha256')
      .update(lock)
      .update(JSON.stringify(DECIDING.map((key) => manifest[key] ?? null)))
      .update(JSON.stringify([platform, arch, versions.modules]))
      .update(nativeSources())
      .digest('hex');
  } catch {
    throw new Stop(
      'package.json or package-lock.json is missing or damaged: restore both from the repository.',
    );
  }
};

/**
 * The size of the compiled binding is on the stamp too: loading a truncated one does not fail, it
 * kills the process.
 * @returns {{ wanted: string, bindingSize: number } | null}
 */
const readStamp = () => {
  try {
    const [wanted = '', size] = readFileSync(STAMP, 'utf8').split(' ');
    return { wanted, bindingSize: Number(size) };
  } catch {
    return null;
  }
};

export const writeStamp = () => {
  writeFileSync(STAMP, `${fingerprint()} ${compiledSize()}`);
};

/** Where naudiodon brings no PortAudio its own script would fail: there all is compiled by ours. */
const installPackages = async () => {
  const itself = process.arch !== 'arm64';
  await npmCi({ scripts: itself });
  if (itself) return;
  const target = nativeTarget('arm64');
  if ('reason' in target) throw new Stop(target.reason);
  const work = inRoot('node_modules', '.cache', 'parley-native');
  await compileParts({ modules: inRoot('node_modules'), target, work });
};

/** @typedef {{ inOrder: true } | { inOrder: false, why: string }} DependencyState */

/**
 * @param {string} why
 * @returns {DependencyState}
 */
const outOfOrder = (why) => ({ inOrder: false, why });

/**
 * Looks at node_modules without changing it.
 * @returns {DependencyState}
 */
export const dependencyState = () => {
  const wanted = fingerprint();
  const folder = statSync(inRoot('node_modules'), { throwIfNoEntry: false });
  if (folder === undefined) return outOfOrder('first start only');
  if (!folder.isDirectory()) return outOfOrder('node_modules is a file, not a folder');
  const stamp = readStamp();
  if (stamp !== null && stamp.wanted !== wanted) return outOfOrder('what Parley needs has changed');
  const installed = installedPackages();
  if (installed === null) return outOfOrder('an earlier installation did not finish');
  if (stamp === null && !matchesLock(installed)) {
    return outOfOrder('node_modules does not match package-lock.json');
  }
  const missing = missingPackages(installed);
  const spoilt = stamp !== null && stamp.bindingSize !== compiledSize();
  if (missing.length === 0) {
    return spoilt ? outOfOrder('the compiled audio binding is damaged') : { inOrder: true };
  }
  const more = missing.length > 1 ? ` and ${missing.length - 1} more` : '';
  return outOfOrder(`node_modules is damaged: ${missing[0]}${more} missing`);
};

/**
 * Installs the dependencies unless they are in order. The stamp goes first and comes last, so
 * that an installation that was killed is never taken for a finished one.
 * @param {DependencyState} [state]
 * @returns {Promise<void>}
 */
export const ensureDependencies = async (state = dependencyState()) => {
  if (state.inOrder) {
    try {
      if (readStamp() === null) writeStamp();
    } catch {
      // Somebody else's folder, in order as it is: the next start looks again.
    }
    return;
  }
  say(`Installing dependencies (${state.why})…`);
  const folder = inRoot('node_modules');
  const isFile = statSync(folder, { throwIfNoEntry: false })?.isFile() === true;
  rmSync(isFile ? folder : STAMP, { force: true });
  await installPackages();
  const missing = missingPackages(installedPackages() ?? []);
  if (missing.length > 0) {
    throw new Stop(
      `npm installed the dependencies, but ${missing[0]} is missing: delete node_modules and start Parley again.`,
    );
  }
  writeStamp();
};
