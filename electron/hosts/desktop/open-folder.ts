import { shell } from 'electron';
import type { OpenFolder } from '../../ports/open-folder.ts';

/** In the system's own file manager; a machine without one has nothing to open it with. */
export const openFolder: OpenFolder = async (path) => {
  try {
    // Electron answers with what went wrong, or with nothing.
    return (await shell.openPath(path)) === '';
  } catch {
    return false;
  }
};
