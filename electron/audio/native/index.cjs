'use strict';

module.exports = require('./build/Release/parley_sound.node');
