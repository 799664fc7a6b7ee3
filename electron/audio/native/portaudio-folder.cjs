'use strict';

// Called by binding.gyp: prints where naudiodon keeps PortAudio's headers and libraries.
const { dirname, join } = require('node:path');

const naudiodon = dirname(require.resolve('naudiodon/package.json'));
process.stdout.write(join(naudiodon, 'portaudio').replaceAll('\\', '/'));
