'use strict';
// The app of the blank package: a window with a word in it, shown when it is drawn, as Parley's is.
const { app, BrowserWindow, Menu } = require('electron');

Menu.setApplicationMenu(null);

void app.whenReady().then(() => {
  const window = new BrowserWindow({
    width: 900,
    height: 680,
    show: false,
    webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false },
  });
  window.once('ready-to-show', () => {
    window.show();
  });
  return window.loadURL('data:text/html,<p>Blank');
});
