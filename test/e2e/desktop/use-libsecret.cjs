'use strict';
const { app } = require('electron');

// Playwright disables Electron's password store; this turns it on again.
app.commandLine.appendSwitch('password-store', 'gnome-libsecret');
