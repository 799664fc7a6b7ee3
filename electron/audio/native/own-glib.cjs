'use strict';

module.exports = require('./build/Release/own_glib.node');
