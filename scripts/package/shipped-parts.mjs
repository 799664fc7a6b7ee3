import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inRoot } from '../lib/root.mjs';
import { loadLicences, readManifest } from './load-product.mjs';

/**
 * @typedef {object} ShippedPart
 * @property {string} name
 * @property {string} version empty for a part embedded in another
 * @property {string} licence SPDX id
 * @property {string} text
 */

/** Parts embedded in native parts or in Parley's code, and their licence texts. */
const embeddedLicences = new Map([
  [
    // The training of the voice detector's weights started from Silero's.
    'Silero-VAD',
    () => readFileSync(inRoot('scripts', 'package', 'licences', 'silero-vad.txt'), 'utf8'),
  ],
  [
    'PortAudio',
    (/** @type {string} */ root) =>
      readFirstComment(root, 'naudiodon', 'portaudio', 'include', 'portaudio.h'),
  ],
  [
    'libvips',
    (/** @type {string} */ root) => readPackageFile(root, 'wasm-vips', 'THIRD-PARTY-NOTICES.md'),
  ],
  [
    'libuiohook',
    (/** @type {string} */ root) =>
      readPackageFile(root, 'uiohook-napi', 'libuiohook', 'COPYING.LESSER.md'),
  ],
]);

/** @param {string} root @param {...string} path */
const readPackageFile = (root, ...path) => {
  const file = join(root, 'node_modules', ...path);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

/** @param {string} root @param {...string} path */
const readFirstComment = (root, ...path) =>
  /\/\*[^]*?\*\//.exec(readPackageFile(root, ...path))?.[0] ?? '';

/**
 * Lists every part of a package with its licence: the parts that About names, and their dependencies.
 * @param {string} electron version of Electron in this package, which may differ from node_modules
 * @param {string} root the tree whose packages it contains
 * @returns {Promise<readonly ShippedPart[]>} sorted by name
 */
export const listShippedParts = async (electron, root) => {
  /** @type {Map<string, ShippedPart>} */
  const parts = new Map();
  for (const { name, licence } of await loadLicences()) {
    const text = embeddedLicences.get(name);
    if (text !== undefined) parts.set(name, { name, version: '', licence, text: text(root) });
    else if (name === 'Parley') continue;
    else if (name === 'electron')
      parts.set(name, { ...readPart(inRoot('node_modules', name)), version: electron });
    // Parts that are bundled into the page are development dependencies, which only the source tree has.
    else if (!addWithDependencies(parts, { name, from: root, root }))
      addWithDependencies(parts, { name, from: inRoot(), root: inRoot() });
  }
  return [...parts.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
};

/**
 * @param {Map<string, ShippedPart>} parts
 * @param {{ name: string, from: string, root: string }} dependency `from`: the folder of the dependent package
 * @returns {boolean} whether the package was found
 */
const addWithDependencies = (parts, { name, from, root }) => {
  const folder = findPackage(name, from, root);
  if (folder === undefined) return false;
  const part = readPart(folder);
  const key = `${part.name}@${part.version}`;
  if (parts.has(key) || part.licence === '') return true;
  parts.set(key, part);
  const { dependencies = {}, optionalDependencies = {} } = readPartManifest(folder);
  for (const other of Object.keys({ ...dependencies, ...optionalDependencies })) {
    // Type packages are not shipped.
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
const readPartManifest = (folder) =>
  /** @type {PartManifest} */ (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));

/** Resolves a package as Node does. @param {string} name @param {string} from @param {string} root @returns {string | undefined} */
const findPackage = (name, from, root) => {
  const folder = join(from, 'node_modules', name);
  if (existsSync(join(folder, 'package.json'))) return folder;
  return from === root || dirname(from) === from
    ? undefined
    : findPackage(name, dirname(from), root);
};

/** @param {string} folder @returns {ShippedPart} */
const readPart = (folder) => {
  const { name, version, license } = readPartManifest(folder);
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8');
  return { name, version, licence: license ?? '', text };
};

/**
 * @param {string} electron version of Electron in this package
 * @param {string} root the tree whose packages it contains
 * @returns {Promise<string>} the text of LICENSES.parley.txt
 */
export const licenceTexts = async (electron, root) => {
  const parts = await listShippedParts(electron, root);
  return [
    'Parley is licensed under the Apache License 2.0. The licences of its parts follow.',
    'LICENSES.chromium.html has the licences of the parts of Electron and Chromium.',
    ...parts.map(
      ({ name, version, licence, text }) =>
        `${'='.repeat(80)}\n${[name, version].join(' ').trim()} (${licence})\n\n${text.trim()}`,
    ),
    '',
  ].join('\n\n');
};

/** The file's name in a package. */
export const billFile = 'parley.cdx.json';

/**
 * A package's software bill of materials (CycloneDX), for vulnerability scanners. It has no date or serial number, so that
 * builds are reproducible.
 * @param {string} electron version of Electron in this package
 * @param {string} root the tree whose packages it contains
 * @returns {Promise<string>}
 */
export const billOfMaterials = async (electron, root) => {
  const { version, license } = readManifest();
  const parts = await listShippedParts(electron, root);
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: toComponent({ name: 'parley', version, licence: license }) },
    components: parts.map(toComponent),
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
};

/**
 * @param {string} folder of a package
 * @returns {readonly { name: string, version: string, licence: string }[]} the components
 */
export const readBill = (folder) => {
  /** @type {{ components: { name: string, version?: string, licenses: [{ license: { id: string } }] }[] }} */
  const { components } = JSON.parse(readFileSync(join(folder, billFile), 'utf8'));
  return components.map(({ name, version = '', licenses: [{ license }] }) => ({
    name,
    version,
    licence: license.id,
  }));
};

/** @param {{ name: string, version: string, licence: string }} part */
const toComponent = ({ name, version, licence }) => {
  // A library inside a native part has no version and no entry in the registry.
  const purl = `pkg:npm/${encodeURIComponent(name).replace('%2F', '/')}@${version}`;
  return {
    type: name === 'parley' ? 'application' : 'library',
    name,
    licenses: [{ license: { id: licence } }],
    ...(version === '' ? {} : { version, purl, 'bom-ref': purl }),
  };
};
