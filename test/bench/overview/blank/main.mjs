// A blank window that only answers its page's request, to measure Electron itself.
import { app, BrowserWindow, ipcMain } from 'electron';
import { join } from 'node:path';

await app.whenReady();
ipcMain.handle('echo', (_event, /** @type {unknown} */ name) => ({ ok: true, value: { name } }));
const window = new BrowserWindow({
  width: 900,
  height: 680,
  show: false,
  webPreferences: {
    preload: join(import.meta.dirname, 'preload.cjs'),
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
  },
});
window.once('ready-to-show', () => window.show());
await window.loadURL('data:text/html,<p>Blank');
