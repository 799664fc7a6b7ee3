import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * @param {string} file
 * @returns {boolean}
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
 * Looks up the first of these commands that is in PATH.
 * @param {...string} names
 * @returns {string | undefined} the path
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
