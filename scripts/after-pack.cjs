// electron-builder calls this hook when an app's folder is laid out, before it archives the folder.
const { existsSync, readdirSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const binding = join('node_modules', 'naudiodon', 'build', 'Release', 'naudiodon.node');

/** @param {import('electron-builder').AfterPackContext} context */
exports.default = async ({ appOutDir, electronPlatformName, packager, arch }) => {
  // With Electron's launcher app in it, a package would start any folder passed to it.
  rmSync(join(appOutDir, 'resources', 'default_app.asar'), { force: true });
  if (electronPlatformName === 'linux') await strip(appOutDir, arch);
  const { flipShippedFuses } = await import('./lib/fuses.mjs');
  const { productFilename } = packager.appInfo;
  /** @type {Readonly<Record<string, string>>} */
  const program = { darwin: `${productFilename}.app`, win32: `${productFilename}.exe` };
  await flipShippedFuses(join(appOutDir, program[electronPlatformName] ?? 'parley'));
  const electron = packager.info.framework.version;
  const { billFile, billOfMaterials, licenceTexts } = await import('./package/shipped-parts.mjs');
  const folder =
    electronPlatformName === 'darwin' ? packager.getMacOsResourcesDir(appOutDir) : appOutDir;
  writeFileSync(
    join(folder, 'LICENSES.parley.txt'),
    await licenceTexts(electron, packager.projectDir),
  );
  writeFileSync(join(folder, billFile), await billOfMaterials(electron, packager.projectDir));
  const { writeUpdateSettings } = await import('./package/update-feed.mjs');
  writeUpdateSettings(electronPlatformName === 'darwin' ? folder : join(appOutDir, 'resources'));
  if (electronPlatformName === 'darwin') await writePermissionTexts(folder);
  if (electronPlatformName !== 'linux') return;
  const { setOriginLibraryPath } = await import('./package/elf-file.mjs');
  const file = join(appOutDir, 'resources', 'app.asar.unpacked', binding);
  if (!existsSync(file)) throw new Error(`The package holds no audio binding at ${file}`);
  setOriginLibraryPath(file);
};

/**
 * Strips debug symbols, a tenth of the program's size. Also fails the build if a part is for another processor: a
 * dependency may ship one under the wrong name, and only the person who installs the package would notice.
 * @param {string} folder
 * @param {import('electron-builder').Arch} arch
 */
const strip = async (folder, arch) => {
  const [{ Arch }, { elfFilesIn, processorOf }, { run, which }, { nativeTarget }] =
    await Promise.all([
      import('electron-builder'),
      import('./package/elf-file.mjs'),
      import('./lib/run.mjs'),
      import('./native/native-target.mjs'),
    ]);
  const files = elfFilesIn(folder);
  const mismatched = files.filter((file) => processorOf(file) !== Arch[arch]);
  if (mismatched.length > 0) {
    throw new Error(
      `These files are for another processor than the package (${Arch[arch]}): ${mismatched.join(', ')}`,
    );
  }
  const target = nativeTarget(Arch[arch] === 'arm64' ? 'arm64' : 'x64');
  if ('reason' in target || which(target.tools.strip) === undefined) return;
  const { code, output } = await run(target.tools.strip, ['--strip-unneeded', ...files]);
  if (code !== 0) throw new Error(`The package's programs could not be stripped: ${output}`);
};

/**
 * Writes the texts of macOS's microphone and camera prompts into each language's folder of the app.
 * @param {string} resources
 */
const writePermissionTexts = async (resources) => {
  const { loadPackagingTexts } = await import('./package/load-product.mjs');
  for (const { locale, texts } of await loadPackagingTexts()) {
    const strings = [
      `NSMicrophoneUsageDescription = ${JSON.stringify(texts.microphone)};`,
      `NSCameraUsageDescription = ${JSON.stringify(texts.camera)};`,
      '',
    ].join('\n');
    const localeFolders = readdirSync(resources).filter((name) =>
      new RegExp(`^${locale}([_-].*)?\\.lproj$`).test(name),
    );
    for (const folder of localeFolders) {
      writeFileSync(join(resources, folder, 'InfoPlist.strings'), strings);
    }
  }
};
