import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * @param {string} file
 * @returns {boolean} whether it is a file that may be run
 */
export const isExecutable = (file) => {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
};

/**
 * Looks commands up in PATH, as a shell would.
 * @param {...string} names the first that is there wins
 * @returns {string | undefined} its path
 */
export const which = (...names) => {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  for (const name of names) {
    for (const folder of folders) {
      const found = endings.map((end) => join(folder, name + end)).find(isExecutable);
      if (found !== undefined) return found;
    }
  }
  return undefined;
};
