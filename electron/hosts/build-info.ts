import { fileURLToPath } from 'node:url';

declare const PARLEY_VERSION: string;

/** Parley's version; the build inserts it from package.json. */
export const version: string = PARLEY_VERSION;

/** Resolves a file of the build relative to this one. */
export function builtFile(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
