import { readManifest } from './load-product.mjs';
import { shippedParts } from './licence-texts.mjs';

/** @param {string} text as a field of more than one line wants it */
const folded = (text) =>
  text
    .trim()
    .split('\n')
    .map((line) => ` ${line.trimEnd() === '' ? '.' : line.trimEnd()}`)
    .join('\n');

/**
 * /usr/share/doc/parley/copyright, in Debian's form.
 * @param {Date} date
 * @param {string} electron its version in this package
 * @returns {Promise<string>}
 */
export const copyrightFile = async (date, electron) => {
  const { homepage } = readManifest();
  const parts = await shippedParts(electron);
  return [
    'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/',
    'Upstream-Name: Parley',
    `Source: ${homepage}`,
    '',
    'Files: *',
    `Copyright: ${date.getUTCFullYear()} The Parley authors`,
    'License: Apache-2.0',
    folded('On Debian systems the full text is in /usr/share/common-licenses/Apache-2.0.'),
    '',
    'Files: usr/lib/parley/*',
    'Copyright: The Electron contributors, The Chromium Authors, and others',
    'License: MIT and BSD-3-Clause and others',
    folded(
      'All of them stand in /usr/lib/parley/LICENSES.chromium.html, and those of what Parley itself is made with in\n' +
        '/usr/lib/parley/LICENSES.parley.txt:\n' +
        parts.map(({ name, version, licence }) => `${name} ${version} ${licence}`).join('\n'),
    ),
    '',
  ].join('\n');
};
