// Preloaded with `node -r` before anything modern is parsed, hence the old syntax: an ancient Node
// must get as far as the sentence instead of dying of a syntax error.
'use strict';

/**
 * Judges a Node version: the build tools take 20.19 and later of 20, and everything from 22.12 on.
 * @param {string} version such as `20.19.0`
 * @returns {string | null} the sentence for the person, or null when the version will do
 */
function verdict(version) {
  var parts = String(version).replace(/^v/, '').split('.');
  var major = Number(parts[0]);
  var minor = Number(parts[1]);
  var fits =
    (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || (major > 22 && major < 1e6);
  if (fits) return null;
  return (
    'Parley needs Node.js 20.19 or a later 20, or 22.12 or newer, and this is ' +
    version +
    ': install Node.js 22 LTS and run it again.'
  );
}

var sentence = verdict(process.versions.node);
if (sentence !== null) {
  process.stderr.write(sentence + '\n');
  process.exit(1);
}

module.exports = { verdict: verdict };
