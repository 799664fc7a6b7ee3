import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listShippedParts } from './licence-texts.mjs';
import { readManifest } from './load-product.mjs';

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
