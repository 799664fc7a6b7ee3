import { readBill } from './bill-of-materials.mjs';
import { readManifest } from './load-product.mjs';

/** @param {string} text indented as Debian's multi-line fields require */
const foldField = (text) =>
  text
    .trim()
    .split('\n')
    .map((line) => ` ${line.trimEnd() === '' ? '.' : line.trimEnd()}`)
    .join('\n');

/**
 * Text of /usr/share/doc/parley/copyright, in Debian's machine-readable format.
 * @param {Date} date
 * @param {string} program the packed app's folder
 * @returns {string}
 */
export const copyrightFile = (date, program) => {
  const { homepage } = readManifest();
  const parts = readBill(program);
  return [
    'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/',
    'Upstream-Name: Parley',
    `Source: ${homepage}`,
    '',
    'Files: *',
    `Copyright: ${date.getUTCFullYear()} The Parley authors`,
    'License: Apache-2.0',
    foldField('On Debian systems the full text is in /usr/share/common-licenses/Apache-2.0.'),
    '',
    'Files: usr/lib/parley/*',
    'Copyright: The Electron contributors, The Chromium Authors, and others',
    'License: MIT and BSD-3-Clause and others',
    foldField(
      'Their texts are in /usr/lib/parley/LICENSES.chromium.html. The texts for the parts of Parley itself are in\n' +
        '/usr/lib/parley/LICENSES.parley.txt:\n' +
        parts.map(({ name, version, licence }) => [name, version, licence].join(' ')).join('\n'),
    ),
    '',
  ].join('\n');
};
