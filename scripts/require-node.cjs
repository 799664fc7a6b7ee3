// Preloaded with `node -r`. The syntax is old so that an old Node prints the message instead of a syntax error.
'use strict';

/**
 * Checks a Node version: the build tools support 20.19 and later 20, and everything from 22.12 on.
 * @param {string} version such as `20.19.0`
 * @returns {string | null} a message for the user, or null if the version is supported
 */
function findVersionProblem(version) {
  var parts = String(version).replace(/^v/, '').split('.');
  var major = Number(parts[0]);
  var minor = Number(parts[1]);
  var isSupported =
    (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || (major > 22 && major < 1e6);
  if (isSupported) return null;
  return (
    'Parley needs Node.js 20.19 or a later 20, or 22.12 or newer, and this is ' +
    version +
    ': install Node.js 22 LTS and run it again.'
  );
}

var problem = findVersionProblem(process.versions.node);
if (problem !== null) {
  process.stderr.write(problem + '\n');
  process.exit(1);
}

module.exports = { findVersionProblem: findVersionProblem };
