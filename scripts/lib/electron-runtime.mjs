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

/**
 * Finds an Electron to run: from ELECTRON_OVERRIDE_DIST_PATH, from the npm package, or by download.
 * @param {{ download?: boolean, retry?: boolean }} [options] `retry` ignores a remembered failure
 * @returns {Promise<ElectronRuntime | { reason: string }>}
 */
export const findElectron = async ({ download = true, retry = false } = {}) => {
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (override !== undefined && override !== '') {
    const reason = `ELECTRON_OVERRIDE_DIST_PATH=${override} holds no Electron (${BINARY}): correct it or unset it`;
    return runtimeIn(override) ?? { reason };
  }
  const packaged = packagedRuntime();
  if (packaged !== null) return packaged;
  if (!download) return { reason: "Electron's runtime has not been downloaded yet" };
  const failure = await downloadElectron({ retry });
  if (failure !== null) return { reason: failure };
  return packagedRuntime() ?? { reason: 'the downloaded Electron has no executable' };
};
