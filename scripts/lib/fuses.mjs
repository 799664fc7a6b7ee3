import { chmodSync, statSync } from 'node:fs';
import {
  flipFuses,
  FuseState,
  FuseV1Options,
  FuseVersion,
  getCurrentFuseWire,
} from '@electron/fuses';

/**
 * Fuses flipped in the packaged program: they restrict what anybody who starts it can do. Only macOS and Windows check
 * the archive's integrity (`EnableEmbeddedAsarIntegrityValidation`).
 */
const shippedFuses = {
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableCookieEncryption]: true,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  // Parley ships no V8 snapshot and loads no page from file: URLs.
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
};

/** Flips the fuses of a program in place, before it is signed. @param {string} program */
export const flipShippedFuses = (program) => flip(program, shippedFuses);

/**
 * Lets tests attach a debugger; the other fuses stay as shipped.
 * @param {string} program a copy of a packaged program
 */
export const allowInspecting = (program) =>
  flip(program, { [FuseV1Options.EnableNodeCliInspectArguments]: true });

/**
 * @param {string} program
 * @param {Readonly<Record<number, boolean>>} fuses
 */
const flip = async (program, fuses) => {
  const resetAdHocDarwinSignature = process.platform === 'darwin' && process.arch === 'arm64';
  const { mode } = statSync(program);
  await flipFuses(program, { version: FuseVersion.V1, resetAdHocDarwinSignature, ...fuses });
  chmodSync(program, mode);
};

/**
 * @param {string} program
 * @returns {Promise<Readonly<Record<string, boolean>>>} the fuses that this Electron knows, by name
 */
export const readFuses = async (program) => {
  const wire = await getCurrentFuseWire(program);
  const known = Object.entries(wire).filter(([at]) => at !== 'version' && at in FuseV1Options);
  return Object.fromEntries(
    known.map(([at, state]) => [FuseV1Options[Number(at)] ?? at, state === FuseState.ENABLE]),
  );
};
