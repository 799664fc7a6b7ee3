import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project, wherever the command was typed. */
export const rootDir = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * @param {...string} parts
 * @returns {string} a path inside the project
 */
export const inRoot = (...parts) => join(rootDir, ...parts);
