'use strict';

// naudiodon only ever calls this at load. Crashes are reported by the host, not from inside the audio binding.
exports.registerHandler = function registerHandler() {};
