'use strict';

// naudiodon calls only this function, when it loads. The host reports crashes, so the stub does nothing.
exports.registerHandler = function registerHandler() {};
