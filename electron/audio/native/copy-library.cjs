'use strict';

// Called by binding.gyp: copies a library under several names, so the system loads it several times.
const { copyFileSync } = require('node:fs');

const [library, ...copies] = process.argv.slice(2);
for (const copy of copies) copyFileSync(library, copy);
