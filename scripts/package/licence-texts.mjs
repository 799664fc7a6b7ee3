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

/** What is inside of native parts or of Parley itself, and where its terms stand. */
const inside = new Map([
  [
    // The voice detector's numbers began as its own.
    'Silero-VAD',
    () => readFileSync(inRoot('scripts', 'package', 'licences', 'silero-vad.txt'), 'utf8'),
  ],
  [
    'PortAudio',
    (/** @type {string} */ root) =>
      firstComment(root, 'naudiodon', 'portaudio', 'include', 'portaudio.h'),
  ],
  [
    'libvips',
    (/** @type {string} */ root) => readPart(root, 'wasm-vips', 'THIRD-PARTY-NOTICES.md'),
  ],
  [
    'libuiohook',
    (/** @type {string} */ root) =>
      readPart(root, 'uiohook-napi', 'libuiohook', 'COPYING.LESSER.md'),
  ],
]);

/** @param {string} root @param {...string} path */
const readPart = (root, ...path) => {
  const file = join(root, 'node_modules', ...path);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

/** @param {string} root @param {...string} path */
const firstComment = (root, ...path) => /\/\*[^]*?\*\//.exec(readPart(root, ...path))?.[0] ?? '';

/**
 * Everything that is inside a package, with its licence: what Parley names itself, and what that brings along.
 * @param {string} electron its version in this package, which need not be the one in node_modules
 * @param {string} root whose packages are in it
 * @returns {Promise<readonly ShippedPart[]>} by name
 */
export const shippedParts = async (electron, root) => {
  /** @type {Map<string, ShippedPart>} */
  const parts = new Map();
  for (const { name, licence } of await loadLicences()) {
    const text = inside.get(name);
    if (text !== undefined) parts.set(name, { name, version: '', licence, text: text(root) });
    else if (name === 'Parley') continue;
    else if (name === 'electron')
      parts.set(name, { ...onePart(inRoot('node_modules', name)), version: electron });
    // What is bundled into the page is the same on every system, and in no tree but the sources'.
    else if (!addWithDependencies(parts, { name, from: root, root }))
      addWithDependencies(parts, { name, from: inRoot(), root: inRoot() });
  }
  return [...parts.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
};

/**
 * @param {Map<string, ShippedPart>} parts
 * @param {{ name: string, from: string, root: string }} wanted from: the folder of the package that wants it
 * @returns {boolean} whether it is there
 */
const addWithDependencies = (parts, { name, from, root }) => {
  const folder = findPackage(name, from, root);
  if (folder === undefined) return false;
  const part = onePart(folder);
  const key = `${part.name}@${part.version}`;
  if (parts.has(key) || part.licence === '') return true;
  parts.set(key, part);
  const { dependencies = {}, optionalDependencies = {} } = manifestOf(folder);
  for (const other of Object.keys({ ...dependencies, ...optionalDependencies })) {
    // Types and build tools of a native part are left behind.
    if (!other.startsWith('@types/'))
      addWithDependencies(parts, { name: other, from: folder, root });
  }
  return true;
};

/**
 * @typedef {{ name: string, version: string, license?: string, dependencies?: Record<string, string>,
 *   optionalDependencies?: Record<string, string> }} PartManifest
 */

/** @param {string} folder */
const manifestOf = (folder) =>
  /** @type {PartManifest} */ (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));

/** @param {string} name @param {string} from @param {string} root @returns {string | undefined} as Node looks for it */
const findPackage = (name, from, root) => {
  const folder = join(from, 'node_modules', name);
  if (existsSync(join(folder, 'package.json'))) return folder;
  return from === root || dirname(from) === from
    ? undefined
    : findPackage(name, dirname(from), root);
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
 * @param {string} root whose packages are in it
 * @returns {Promise<string>} a file for people, beside the program
 */
export const licenceTexts = async (electron, root) => {
  const parts = await shippedParts(electron, root);
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
