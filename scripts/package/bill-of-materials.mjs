import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shippedParts } from './licence-texts.mjs';
import { readManifest } from './load-product.mjs';

/** Where it lies in a package. */
export const billFile = 'parley.cdx.json';

/**
 * What a package is made of, for programs that look after known faults (CycloneDX). The same package has the same one,
 * so it carries no date and no number of its own.
 * @param {string} electron its version in this package
 * @param {string} root whose packages are in it
 * @returns {Promise<string>}
 */
export const billOfMaterials = async (electron, root) => {
  const { version, license } = readManifest();
  const parts = await shippedParts(electron, root);
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: component({ name: 'parley', version, licence: license }) },
    components: parts.map(component),
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
};

/**
 * @param {string} folder of a package
 * @returns {readonly { name: string, version: string, licence: string }[]} what its bill says
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
const component = ({ name, version, licence }) => {
  // What is inside of a native part is in no registry, and its number is that part's.
  const purl = `pkg:npm/${encodeURIComponent(name).replace('%2F', '/')}@${version}`;
  return {
    type: name === 'parley' ? 'application' : 'library',
    name,
    licenses: [{ license: { id: licence } }],
    ...(version === '' ? {} : { version, purl, 'bom-ref': purl }),
  };
};
