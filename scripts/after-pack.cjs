// Called by electron-builder when an app's folder is laid out, before archives are made of it.
const { existsSync, rmSync } = require('node:fs');
const { join } = require('node:path');

const binding = join('node_modules', 'naudiodon', 'build', 'Release', 'naudiodon.node');

/** @param {import('electron-builder').AfterPackContext} context */
exports.default = async ({ appOutDir, electronPlatformName, packager }) => {
  // Electron's own launcher app; a package that carries it would start any folder given to it.
  rmSync(join(appOutDir, 'resources', 'default_app.asar'), { force: true });
  const { burnShippedFuses } = await import('./lib/fuses.mjs');
  const { productFilename } = packager.appInfo;
  /** @type {Readonly<Record<string, string>>} */
  const program = { darwin: `${productFilename}.app`, win32: `${productFilename}.exe` };
  await burnShippedFuses(join(appOutDir, program[electronPlatformName] ?? 'parley'));
  if (electronPlatformName !== 'linux') return;
  const { lookBesideItself } = await import('./lib/library-path.mjs');
  const file = join(appOutDir, 'resources', 'app.asar.unpacked', binding);
  if (!existsSync(file)) throw new Error(`The package holds no audio binding at ${file}`);
  lookBesideItself(file);
};
