import { extname, join } from 'node:path';
import { app, BrowserWindow, dialog } from 'electron';
import type { SaveWay } from '../../ports/saving.ts';

/** In the system's own dialog, which asks before it takes a name that is there. */
export const saveInDialog: SaveWay = {
  kind: 'dialog',
  choose: async (name) => {
    const ending = extname(name).slice(1);
    const options = {
      defaultPath: join(lastFolder ?? app.getPath('documents'), name),
      filters: [{ name: ending.toUpperCase(), extensions: [ending] }],
      properties: ['createDirectory' as const, 'showOverwriteConfirmation' as const],
    };
    const asking = BrowserWindow.getFocusedWindow();
    const { canceled, filePath } = await (asking === null
      ? dialog.showSaveDialog(options)
      : dialog.showSaveDialog(asking, options));
    if (canceled || filePath === '') return undefined;
    lastFolder = join(filePath, '..');
    return filePath;
  },
  chooseFolder: async () => {
    const options = {
      defaultPath: lastFolder ?? app.getPath('documents'),
      properties: ['openDirectory' as const, 'createDirectory' as const],
    };
    const asking = BrowserWindow.getFocusedWindow();
    const { canceled, filePaths } = await (asking === null
      ? dialog.showOpenDialog(options)
      : dialog.showOpenDialog(asking, options));
    const [folder] = canceled ? [] : filePaths;
    lastFolder = folder ?? lastFolder;
    return folder;
  },
};

/** People put what belongs together into one folder. */
let lastFolder: string | undefined;
