'use strict';
const { app } = require('electron');

// Playwright has Electron's password store set to none, which stands until somebody says otherwise.
app.commandLine.appendSwitch('password-store', 'gnome-libsecret');
