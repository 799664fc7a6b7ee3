import { chmodSync, statSync } from 'node:fs';
import {
  flipFuses,
  FuseState,
  FuseV1Options,
  FuseVersion,
  getCurrentFuseWire,
} from '@electron/fuses';

/**
 * What stays possible in a packaged Parley whoever starts it, burnt into its program. Whether the package is
 * what was packed (`EnableEmbeddedAsarIntegrityValidation`) Electron looks at on macOS and Windows only.
 */
const SHIPPED = {
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableCookieEncryption]: true,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  // No snapshot of our own is shipped, and no page of ours lives at file:.
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
};

/** @param {string} program flips its fuses in place, before it is signed */
export const burnShippedFuses = (program) => burn(program, SHIPPED);

/**
 * The tests attach a debugger; all else is as it ships.
 * @param {string} program a copy of a packaged one
 */
export const allowInspecting = (program) =>
  burn(program, { [FuseV1Options.EnableNodeCliInspectArguments]: true });

/**
 * @param {string} program
 * @param {Readonly<Record<number, boolean>>} fuses
 */
const burn = async (program, fuses) => {
  const resetAdHocDarwinSignature = process.platform === 'darwin' && process.arch === 'arm64';
  const { mode } = statSync(program);
  await flipFuses(program, { version: FuseVersion.V1, resetAdHocDarwinSignature, ...fuses });
  chmodSync(program, mode);
};

/**
 * @param {string} program
 * @returns {Promise<Readonly<Record<string, boolean>>>} by name, those that its Electron has
 */
export const readFuses = async (program) => {
  const wire = await getCurrentFuseWire(program);
  const known = Object.entries(wire).filter(([at]) => at !== 'version' && at in FuseV1Options);
  return Object.fromEntries(
    known.map(([at, state]) => [FuseV1Options[Number(at)] ?? at, state === FuseState.ENABLE]),
  );
};
