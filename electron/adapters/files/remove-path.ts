import { rm } from 'node:fs/promises';

/** Removes a file or folder, if it is there. On Windows a virus scanner may hold it for a moment: tried again for a second and a half. */
export function removePath(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}
