import { fileURLToPath } from 'node:url';

/** A file of the build, beside the one that runs. */
export function built(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
