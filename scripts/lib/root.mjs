import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder, regardless of the working directory. */
export const rootDir = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * @param {...string} parts
 * @returns {string} a path inside the project
 */
export const inRoot = (...parts) => join(rootDir, ...parts);
