import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { compileParts, relinkBinding } from '../native/compile-parts.mjs';
import { nativeTarget, isArchitecture } from '../native/native-target.mjs';
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

const stampFile = inRoot('node_modules', '.parley-install');

/** The fields of package.json that affect what npm installs. A changed script, for example, must not reinstall everything. */
const installFields = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'overrides',
  'allowScripts',
];

/** @returns {string} the sources of our own addon, which the installation compiles */
const nativeSources = () => {
  const folder = inRoot('electron', 'audio', 'native');
  if (!existsSync(folder)) return '';
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(cc?|h|gyp|cjs|json)$/.test(file) && !file.startsWith('build'))
    .toSorted()
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
};

/** @returns {string} a hash of everything that decides the installation, for this Node and machine */
const installFingerprint = () => {
  try {
    const lock = readFileSync(inRoot('package-lock.json'));
    /** @type {Record<string, unknown>} */
    const manifest = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
    const { platform, arch, versions } = process;
    return createHash('sha256')
      .update(lock)
      .update(JSON.stringify(installFields.map((key) => manifest[key] ?? null)))
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
 * The stamp file holds the fingerprint of the installation, and the size of the compiled bindings: a truncated addon kills the process that loads it.
 * @returns {{ hash: string, bindingSize: number } | null}
 */
const readStamp = () => {
  try {
    const [hash = '', size] = readFileSync(stampFile, 'utf8').split(' ');
    return { hash, bindingSize: Number(size) };
  } catch {
    return null;
  }
};

const writeStamp = () => {
  writeFileSync(stampFile, `${installFingerprint()} ${compiledSize()}`);
};

/** naudiodon's install script fails where it ships no PortAudio (arm64); there our own script compiles the native parts. */
const installPackages = async () => {
  const hasPrebuilt = process.arch !== 'arm64';
  await npmCi({ scripts: hasPrebuilt });
  if (hasPrebuilt) return;
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
 * Inspects node_modules without changing it.
 * @returns {DependencyState}
 */
export const dependencyState = () => {
  const hash = installFingerprint();
  const folder = statSync(inRoot('node_modules'), { throwIfNoEntry: false });
  if (folder === undefined) return outOfOrder('first start only');
  if (!folder.isDirectory()) return outOfOrder('node_modules is a file, not a folder');
  const stamp = readStamp();
  if (stamp !== null && stamp.hash !== hash) return outOfOrder('what Parley needs has changed');
  const installed = installedPackages();
  if (installed === null) return outOfOrder('an earlier installation did not finish');
  if (stamp === null && !matchesLock(installed)) {
    return outOfOrder('node_modules does not match package-lock.json');
  }
  const missing = missingPackages(installed);
  const isBindingDamaged = stamp !== null && stamp.bindingSize !== compiledSize();
  if (missing.length === 0) {
    return isBindingDamaged
      ? outOfOrder('the compiled audio binding is damaged')
      : { inOrder: true };
  }
  const more = missing.length > 1 ? ` and ${missing.length - 1} more` : '';
  return outOfOrder(`node_modules is damaged: ${missing[0]}${more} missing`);
};

/**
 * Installs the dependencies unless they are in order. The stamp is deleted first and written last, so an interrupted
 * installation never looks finished.
 * @param {DependencyState} [state]
 * @returns {Promise<void>}
 */
export const ensureDependencies = async (state = dependencyState()) => {
  if (state.inOrder) {
    try {
      if (readStamp() === null) writeStamp();
    } catch {
      // node_modules belongs to another user. It is in order, so a missing stamp does no harm.
    }
    return;
  }
  const folder = inRoot('node_modules');
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    throw new Stop(
      `The dependencies must be installed (${state.why}), but node_modules is a link, and npm would empty the folder behind it: delete the link and start Parley again.`,
    );
  }
  say(`Installing dependencies (${state.why})…`);
  const isFile = statSync(folder, { throwIfNoEntry: false })?.isFile() === true;
  rmSync(isFile ? folder : stampFile, { force: true });
  await installPackages();
  const missing = missingPackages(installedPackages() ?? []);
  if (missing.length > 0) {
    throw new Stop(
      `npm installed the dependencies, but ${missing[0]} is missing: delete node_modules and start Parley again.`,
    );
  }
  writeStamp();
};

/**
 * Relinks the installed audio binding before it is packed or tested. A second run changes nothing.
 * @returns {Promise<void>}
 */
export const relinkInstalledBinding = async () => {
  if (process.platform !== 'linux' || !isArchitecture(process.arch)) return;
  const target = nativeTarget(process.arch);
  if ('reason' in target) return;
  if (await relinkBinding(inRoot('node_modules'), target)) writeStamp();
};
