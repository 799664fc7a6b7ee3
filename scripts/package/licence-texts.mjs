import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inRoot } from '../lib/root.mjs';
import { loadLicences } from './load-product.mjs';

/**
 * @typedef {object} ShippedPart
 * @property {string} name
 * @property {string} version empty where it is inside of another part
 * @property {string} licence SPDX
 * @property {string} text
 */

/** What is inside of native parts, and where its terms stand. */
const inside = new Map([
  ['PortAudio', () => firstComment('naudiodon', 'portaudio', 'include', 'portaudio.h')],
  [
    'libvips',
    () => readPart('@img', `sharp-libvips-${process.platform}-${process.arch}`, 'README.md'),
  ],
  ['libuiohook', () => readPart('uiohook-napi', 'libuiohook', 'COPYING.LESSER.md')],
]);

/** @param {...string} path */
const readPart = (...path) => {
  const file = inRoot('node_modules', ...path);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

/** @param {...string} path */
const firstComment = (...path) => /\/\*[^]*?\*\//.exec(readPart(...path))?.[0] ?? '';

/**
 * Everything that is inside a package, with its licence: what Parley names itself, and what that brings along.
 * @param {string} electron its version in this package, which need not be the one in node_modules
 * @returns {Promise<readonly ShippedPart[]>} by name
 */
export const shippedParts = async (electron) => {
  /** @type {Map<string, ShippedPart>} */
  const parts = new Map();
  for (const { name, licence } of await loadLicences()) {
    const text = inside.get(name);
    if (text !== undefined) parts.set(name, { name, version: '', licence, text: text() });
    else if (name === 'Parley') continue;
    else if (name === 'electron')
      parts.set(name, { ...onePart(inRoot('node_modules', name)), version: electron });
    else addWithDependencies(parts, name, inRoot());
  }
  return [...parts.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
};

/**
 * @param {Map<string, ShippedPart>} parts
 * @param {string} name
 * @param {string} from the folder of the package that wants it
 */
const addWithDependencies = (parts, name, from) => {
  const folder = findPackage(name, from);
  if (folder === undefined) return;
  const part = onePart(folder);
  const key = `${part.name}@${part.version}`;
  if (parts.has(key) || part.licence === '') return;
  parts.set(key, part);
  const { dependencies = {}, optionalDependencies = {} } = manifestOf(folder);
  for (const other of Object.keys({ ...dependencies, ...optionalDependencies })) {
    // Types and build tools of a native part are left behind.
    if (!other.startsWith('@types/')) addWithDependencies(parts, other, folder);
  }
};

/**
 * @typedef {{ name: string, version: string, license?: string, dependencies?: Record<string, string>,
 *   optionalDependencies?: Record<string, string> }} PartManifest
 */

/** @param {string} folder */
const manifestOf = (folder) =>
  /** @type {PartManifest} */ (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));

/** @param {string} name @param {string} from @returns {string | undefined} as Node looks for it */
const findPackage = (name, from) => {
  const folder = join(from, 'node_modules', name);
  if (existsSync(join(folder, 'package.json'))) return folder;
  return from === inRoot() || dirname(from) === from ? undefined : findPackage(name, dirname(from));
};

/** @param {string} folder @returns {ShippedPart} */
const onePart = (folder) => {
  const { name, version, license } = manifestOf(folder);
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8');
  return { name, version, licence: license ?? '', text };
};

/**
 * @param {string} electron its version in this package
 * @returns {Promise<string>} a file for people, beside the program
 */
export const licenceTexts = async (electron) => {
  const parts = await shippedParts(electron);
  return [
    'Parley is licensed under the Apache License 2.0. What follows is what it is made with.',
    'What Electron and Chromium are made with stands in LICENSES.chromium.html.',
    ...parts.map(
      ({ name, version, licence, text }) =>
        `${'='.repeat(80)}\n${[name, version].join(' ').trim()} (${licence})\n\n${text.trim()}`,
    ),
    '',
  ].join('\n\n');
};
