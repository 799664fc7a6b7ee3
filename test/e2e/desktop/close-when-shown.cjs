'use strict';
const { app } = require('electron');

// Closes the window at once, before anything else has loaded.
app.on('browser-window-created', (_event, window) => {
  window.once('show', () => {
    window.close();
  });
});
