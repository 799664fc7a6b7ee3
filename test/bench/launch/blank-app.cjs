'use strict';
// The app of the blank package: a window with one word, shown when it is drawn, like Parley's.
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
