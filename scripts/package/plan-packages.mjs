import { noDownloads } from '../lib/no-downloads.mjs';
import { Stop } from '../lib/stop.mjs';
import { which } from '../lib/which.mjs';
import { makeDeb } from './make-deb.mjs';
import { makeRpm } from './make-rpm.mjs';

/** @typedef {(given: { unpacked: string, date: Date }) => Promise<string>} MakePackage */
/** @typedef {{ kind: string, reason: string }} LeftOut */

/**
 * @typedef {object} PackagePlan
 * @property {readonly string[]} builders the kinds that electron-builder makes
 * @property {readonly MakePackage[]} systems those that the system's own tools make of the same folder
 * @property {readonly LeftOut[]} leftOut and why
 */

/** @type {Readonly<Record<string, { make: MakePackage, tool: string, package: string }>>} */
const ownKinds = {
  deb: { make: makeDeb, tool: 'dpkg-deb', package: 'dpkg' },
  rpm: { make: makeRpm, tool: 'rpmbuild', package: 'rpm' },
};

/** What electron-builder packs with tools that it downloads. */
const downloading = new Set(['AppImage']);

/**
 * Which kinds are made here. What was asked for and cannot be made stops; of all that there are it is left out.
 * @param {readonly string[]} asked none for all
 * @returns {Promise<PackagePlan>}
 */
export const planPackages = async (asked) => {
  if (process.platform !== 'linux') {
    // Of these systems electron-builder.yml knows the kinds.
    return { builders: asked, systems: [], leftOut: [] };
  }
  const wanted = asked.length === 0 ? ['dir', 'tar.gz', 'AppImage', 'deb', 'rpm'] : asked;
  const sealed = wanted.some((kind) => downloading.has(kind)) ? await noDownloads() : undefined;
  const leftOut = wanted.flatMap((kind) => {
    const own = ownKinds[kind];
    if (own !== undefined && which(own.tool) === undefined) {
      const reason = `there is no ${own.tool} (apt-get install ${own.package})`;
      return [{ kind, reason }];
    }
    return sealed !== undefined && downloading.has(kind)
      ? [{ kind, reason: `its tools are downloaded, and ${sealed}` }]
      : [];
  });
  const [first] = leftOut;
  if (asked.length > 0 && first !== undefined) {
    throw new Stop(`${first.kind} cannot be made here: ${first.reason}.`);
  }
  const possible = wanted.filter((kind) => !leftOut.some((other) => other.kind === kind));
  const builders = possible.filter((kind) => ownKinds[kind] === undefined);
  return {
    builders: builders.length === 0 ? ['dir'] : builders,
    systems: possible.flatMap((kind) => ownKinds[kind]?.make ?? []),
    leftOut,
  };
};
