import { findDownloadProblem } from '../lib/electron-runtime.mjs';
import { Stop } from '../lib/stop.mjs';
import { which } from '../lib/run.mjs';
import { makeDeb } from './make-deb.mjs';
import { makeRpm } from './make-rpm.mjs';

/** @typedef {(options: { unpacked: string, date: Date }) => Promise<string>} MakePackage */
/** @typedef {{ kind: string, reason: string }} SkippedPackage */

/**
 * @typedef {object} PackagePlan
 * @property {readonly string[]} builderTargets kinds of packages that electron-builder makes
 * @property {readonly MakePackage[]} systemMakers functions that make the others with the system's own tools
 * @property {readonly SkippedPackage[]} skipped
 */

/** @type {Readonly<Record<string, { make: MakePackage, tool: string, package: string }>>} */
const systemKinds = {
  deb: { make: makeDeb, tool: 'dpkg-deb', package: 'dpkg' },
  rpm: { make: makeRpm, tool: 'rpmbuild', package: 'rpm' },
};

/** Kinds for which electron-builder downloads tools. */
const downloadingKinds = new Set(['AppImage']);

/**
 * Decides which kinds of packages can be made here. A requested kind that cannot be made is an error; without a request,
 * such kinds are skipped.
 * @param {readonly string[]} requested empty for all kinds
 * @returns {Promise<PackagePlan>}
 */
export const planPackages = async (requested) => {
  if (process.platform !== 'linux') {
    // electron-builder.yml lists the kinds for macOS and Windows.
    return { builderTargets: requested, systemMakers: [], skipped: [] };
  }
  const kinds = requested.length === 0 ? ['dir', 'tar.gz', 'AppImage', 'deb', 'rpm'] : requested;
  const downloadProblem = kinds.some((kind) => downloadingKinds.has(kind))
    ? await findDownloadProblem()
    : undefined;
  const skipped = kinds.flatMap((kind) => {
    const system = systemKinds[kind];
    if (system !== undefined && which(system.tool) === undefined) {
      const reason = `there is no ${system.tool} (apt-get install ${system.package})`;
      return [{ kind, reason }];
    }
    return downloadProblem !== undefined && downloadingKinds.has(kind)
      ? [{ kind, reason: `its tools are downloaded, and ${downloadProblem}` }]
      : [];
  });
  const [first] = skipped;
  if (requested.length > 0 && first !== undefined) {
    throw new Stop(`${first.kind} cannot be made here: ${first.reason}.`);
  }
  const possible = kinds.filter((kind) => !skipped.some((other) => other.kind === kind));
  const builderTargets = possible.filter((kind) => systemKinds[kind] === undefined);
  return {
    builderTargets: builderTargets.length === 0 ? ['dir'] : builderTargets,
    systemMakers: possible.flatMap((kind) => systemKinds[kind]?.make ?? []),
    skipped,
  };
};
