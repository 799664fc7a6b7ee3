import { shippedParts } from './licence-texts.mjs';
import { readManifest } from './load-product.mjs';

/**
 * What a package is made of, for programs that look after known faults (CycloneDX). The same package has the same one,
 * so it carries no date and no number of its own.
 * @param {string} electron its version in this package
 * @returns {Promise<string>}
 */
export const billOfMaterials = async (electron) => {
  const { version, license } = readManifest();
  const parts = await shippedParts(electron);
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: component({ name: 'parley', version, licence: license }) },
    components: parts.map(component),
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
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
