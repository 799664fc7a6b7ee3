import { lookup } from 'node:dns/promises';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inRoot } from './root.mjs';
import { plainLines, run, isExecutable } from './run.mjs';
import { say } from './say.mjs';
import { processorOf } from '../package/elf-file.mjs';

/** @typedef {{ executable: string, version: string, folder: string }} ElectronRuntime */

const binary =
  { darwin: join('Electron.app', 'Contents', 'MacOS', 'Electron'), win32: 'electron.exe' }[
    /** @type {string} */ (process.platform)
  ] ?? 'electron';

/**
 * @param {string} folder
 * @returns {ElectronRuntime | null}
 */
const runtimeIn = (folder) => {
  const executable = join(folder, binary);
  if (!isExecutable(executable)) return null;
  try {
    const version = readFileSync(join(folder, 'version'), 'utf8').trim().replace(/^v/, '');
    return { executable, version, folder };
  } catch {
    return { executable, version: 'unknown', folder };
  }
};

/** @returns {ElectronRuntime | null} the runtime that Electron's downloader unpacked into its package */
const packagedRuntime = () => {
  try {
    // The downloader writes path.txt last, so without it the unpacking was interrupted.
    readFileSync(inRoot('node_modules', 'electron', 'path.txt'));
    return runtimeIn(inRoot('node_modules', 'electron', 'dist'));
  } catch {
    return null;
  }
};

const failureFile = inRoot('node_modules', '.cache', 'parley-electron-download.json');
const failureTtlMs = 60 * 60 * 1000;
const downloadTimeoutMs = 3 * 60 * 1000;

/** @returns {string | null} why it failed within the last hour */
const rememberedFailure = () => {
  try {
    /** @type {{ at: number, reason: string }} */
    const { at, reason } = JSON.parse(readFileSync(failureFile, 'utf8'));
    const age = Date.now() - at;
    return age >= 0 && age < failureTtlMs ? reason : null;
  } catch {
    return null;
  }
};

/** @param {string} reason */
const rememberFailure = (reason) => {
  mkdirSync(dirname(failureFile), { recursive: true });
  writeFileSync(failureFile, JSON.stringify({ at: Date.now(), reason }));
};

/** @returns {boolean} whether this Node can load Electron's downloader */
const canDownload = () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 12);
};

/** @param {string} output */
const cause = (output) => {
  if (/fetch failed|ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT/.test(output)) {
    return 'its server could not be reached';
  }
  return (
    plainLines(output)[0]
      ?.replace(/^\w*Error: /, '')
      .replace(/\.$/, '') ?? 'no output'
  );
};

/**
 * Runs Electron's own downloader. It remembers a failure for an hour, so that an offline machine does not wait at every
 * start.
 * @param {{ retry?: boolean }} [options] `retry` ignores a remembered failure
 * @returns {Promise<string | null>} why it failed, or null
 */
const downloadElectron = async ({ retry = false } = {}) => {
  const installer = inRoot('node_modules', 'electron', 'install.js');
  if (!existsSync(installer)) return 'the electron package is not installed';
  if (!canDownload()) {
    return `Electron's downloader needs Node 22.12 or newer and this is ${process.versions.node}: start once with a newer Node, or point ELECTRON_OVERRIDE_DIST_PATH at an unpacked Electron`;
  }
  const lastFailure = retry ? null : rememberedFailure();
  if (lastFailure !== null) return lastFailure;
  say('Downloading the Electron runtime (first start only)…');
  const env = { ...process.env, ELECTRON_GET_NO_PROGRESS: '1' };
  const result = await run(process.execPath, [installer], { env, timeoutMs: downloadTimeoutMs });
  if (result.code === 0) {
    rmSync(failureFile, { force: true });
    return null;
  }
  const why = result.timedOut ? 'it took longer than three minutes' : cause(result.output);
  const reason = `Electron's runtime could not be downloaded (${why})`;
  rememberFailure(reason);
  return reason;
};

/**
 * Finds an Electron to run: from ELECTRON_OVERRIDE_DIST_PATH, from the npm package, or by download.
 * @param {{ download?: boolean, retry?: boolean }} [options] `retry` ignores a remembered failure
 * @returns {Promise<ElectronRuntime | { reason: string }>}
 */
export const findElectron = async ({ download = true, retry = false } = {}) => {
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (override !== undefined && override !== '') {
    const reason = `ELECTRON_OVERRIDE_DIST_PATH=${override} holds no Electron (${binary}): correct it or unset it`;
    return runtimeIn(override) ?? { reason };
  }
  const packaged = packagedRuntime();
  if (packaged !== null) return packaged;
  if (!download) return { reason: "Electron's runtime has not been downloaded yet" };
  const failure = await downloadElectron({ retry });
  if (failure !== null) return { reason: failure };
  return packagedRuntime() ?? { reason: 'the downloaded Electron has no executable' };
};

/** The host of Electron's releases and of electron-builder's tools. */
const downloadHost = 'github.com';

/** @returns {Promise<string | undefined>} why downloads are impossible here */
export const findDownloadProblem = async () => {
  if ((process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? '') !== '') {
    return 'ELECTRON_OVERRIDE_DIST_PATH is set, so nothing is downloaded';
  }
  const found = await Promise.race([
    lookup(downloadHost).catch(() => undefined),
    delay(3000, undefined, { ref: false }),
  ]);
  return found === undefined ? `${downloadHost} cannot be reached` : undefined;
};

/**
 * Finds an Electron for another processor, to pack but not to run.
 * @param {import('../native/native-target.mjs').Architecture} architecture
 * @returns {Promise<{ version: string, folder?: string } | { reason: string }>} without a folder, electron-builder downloads it
 */
export const foreignElectron = async (architecture) => {
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? '';
  const program = join(override, 'electron');
  if (override !== '' && isExecutable(program)) {
    const processor = processorOf(program);
    if (processor === architecture) {
      const version = readFileSync(join(override, 'version'), 'utf8').trim().replace(/^v/, '');
      return { version, folder: override };
    }
    return { reason: `the Electron that ELECTRON_OVERRIDE_DIST_PATH names is for ${processor}` };
  }
  const problem = await findDownloadProblem();
  if (problem !== undefined) return { reason: `its Electron must be downloaded, and ${problem}` };
  /** @type {{ version: string }} */
  const { version } = JSON.parse(
    readFileSync(inRoot('node_modules', 'electron', 'package.json'), 'utf8'),
  );
  return { version };
};
