import { fileURLToPath } from 'node:url';

declare const PARLEY_VERSION: string;

/** Parley's own version; the build puts it in from package.json. */
export const version: string = PARLEY_VERSION;

/** A file of the build, beside the one that runs. */
export function built(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
