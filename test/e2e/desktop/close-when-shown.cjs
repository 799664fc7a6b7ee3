'use strict';
const { app } = require('electron');

// As a person who closes the window at once: nothing that is loaded after it is there yet.
app.on('browser-window-created', (_event, window) => {
  window.once('show', () => {
    window.close();
  });
});
