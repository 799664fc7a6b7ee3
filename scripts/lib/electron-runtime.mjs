import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { downloadElectron } from './electron-download.mjs';
import { inRoot } from './root.mjs';
import { isExecutable } from './which.mjs';

/** @typedef {{ executable: string, version: string, folder: string }} ElectronRuntime */

const BINARY =
  { darwin: join('Electron.app', 'Contents', 'MacOS', 'Electron'), win32: 'electron.exe' }[
    /** @type {string} */ (process.platform)
  ] ?? 'electron';

/**
 * @param {string} folder
 * @returns {ElectronRuntime | null}
 */
const runtimeIn = (folder) => {
  const executable = join(folder, BINARY);
  if (!isExecutable(executable)) return null;
  try {
    const version = readFileSync(join(folder, 'version'), 'utf8').trim().replace(/^v/, '');
    return { executable, version, folder };
  } catch {
    return { executable, version: 'unknown', folder };
  }
};

/** @returns {ElectronRuntime | null} what Electron's own downloader has put into its package */
const packagedRuntime = () => {
  try {
    // It writes path.txt last: without it the unpacking was cut short.
    readFileSync(inRoot('node_modules', 'electron', 'path.txt'));
    return runtimeIn(inRoot('node_modules', 'electron', 'dist'));
  } catch {
    return null;
  }
};

/**
 * Finds an Electron to run: the one pointed at, the one in its package, or a fresh download.
 * @param {{ download?: boolean, retry?: boolean }} [options] `retry` forgets an earlier failure
 * @returns {Promise<ElectronRuntime | { reason: string }>}
 */
export const findElectron = async ({ download = true, retry = false } = {}) => {
  const given = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (given !== undefined && given !== '') {
    const reason = `ELECTRON_OVERRIDE_DIST_PATH=${given} holds no Electron (${BINARY}): correct it or unset it`;
    return runtimeIn(given) ?? { reason };
  }
  const packaged = packagedRuntime();
  if (packaged !== null) return packaged;
  if (!download) return { reason: "Electron's runtime has not been downloaded yet" };
  const failure = await downloadElectron({ retry });
  if (failure !== null) return { reason: failure };
  return packagedRuntime() ?? { reason: 'the downloaded Electron has no program that can be run' };
};
