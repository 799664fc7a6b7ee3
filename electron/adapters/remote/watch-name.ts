import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/**
 * Calls when something else may have that name in its folder, or the folder itself has gone. Gives what ends it, or
 * nothing where the system watches no more of them; what is watched may also be lost later, which is a call, too.
 */
export type WatchName = (path: string, changed: () => void) => (() => void) | undefined;

export const watchName: WatchName = (path, changed) => {
  const folder = dirname(path);
  // A folder that goes tells it under its own name, and some systems tell no name at all.
  const names: ReadonlySet<string | null> = new Set([basename(path), basename(folder), null]);
  try {
    const watcher = watch(folder, { persistent: false }, (_, name) => {
      if (names.has(name)) changed();
    });
    watcher.on('error', changed);
    return () => {
      watcher.close();
    };
  } catch {
    return undefined;
  }
};
