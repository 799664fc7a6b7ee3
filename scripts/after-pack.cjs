// Called by electron-builder when an app's folder is laid out, before archives are made of it.
const { existsSync, readdirSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const binding = join('node_modules', 'naudiodon', 'build', 'Release', 'naudiodon.node');

/** @param {import('electron-builder').AfterPackContext} context */
exports.default = async ({ appOutDir, electronPlatformName, packager, arch }) => {
  // Electron's own launcher app; a package that carries it would start any folder given to it.
  rmSync(join(appOutDir, 'resources', 'default_app.asar'), { force: true });
  if (electronPlatformName === 'linux') await strip(appOutDir, arch);
  const { burnShippedFuses } = await import('./lib/fuses.mjs');
  const { productFilename } = packager.appInfo;
  /** @type {Readonly<Record<string, string>>} */
  const program = { darwin: `${productFilename}.app`, win32: `${productFilename}.exe` };
  await burnShippedFuses(join(appOutDir, program[electronPlatformName] ?? 'parley'));
  const electron = packager.info.framework.version;
  const { licenceTexts } = await import('./package/licence-texts.mjs');
  const folder =
    electronPlatformName === 'darwin' ? packager.getMacOsResourcesDir(appOutDir) : appOutDir;
  writeFileSync(
    join(folder, 'LICENSES.parley.txt'),
    await licenceTexts(electron, packager.projectDir),
  );
  const { billFile, billOfMaterials } = await import('./package/bill-of-materials.mjs');
  writeFileSync(join(folder, billFile), await billOfMaterials(electron, packager.projectDir));
  const { writeUpdateSettings } = await import('./package/update-settings.mjs');
  writeUpdateSettings(electronPlatformName === 'darwin' ? folder : join(appOutDir, 'resources'));
  if (electronPlatformName === 'darwin') await sayWhyInEachLanguage(folder);
  if (electronPlatformName !== 'linux') return;
  const { lookBesideItself } = await import('./lib/library-path.mjs');
  const file = join(appOutDir, 'resources', 'app.asar.unpacked', binding);
  if (!existsSync(file)) throw new Error(`The package holds no audio binding at ${file}`);
  lookBesideItself(file);
};

/**
 * Names that only a debugger reads are a tenth of the program. All of them are for one kind of processor: a part
 * for another one, under whatever name it came, would be found missing by whoever installs it.
 * @param {string} folder
 * @param {import('electron-builder').Arch} arch
 */
const strip = async (folder, arch) => {
  const [{ Arch }, { elfFilesIn, processorOf }, { run }, { which }, { nativeTarget }] =
    await Promise.all([
      import('electron-builder'),
      import('./package/elf-file.mjs'),
      import('./lib/run.mjs'),
      import('./lib/which.mjs'),
      import('./native/native-target.mjs'),
    ]);
  const files = elfFilesIn(folder);
  const strange = files.filter((file) => processorOf(file) !== Arch[arch]);
  if (strange.length > 0) {
    throw new Error(`Not for ${Arch[arch]}, as the package is: ${strange.join(', ')}`);
  }
  const target = nativeTarget(Arch[arch] === 'arm64' ? 'arm64' : 'x64');
  if ('reason' in target || which(target.tools.strip) === undefined) return;
  const { code, output } = await run(target.tools.strip, ['--strip-unneeded', ...files]);
  if (code !== 0) throw new Error(`The package's programs could not be stripped: ${output}`);
};

/**
 * What macOS says when it asks for microphone and camera, where it looks for its own words.
 * @param {string} resources
 */
const sayWhyInEachLanguage = async (resources) => {
  const { loadPackagingTexts } = await import('./package/load-product.mjs');
  for (const { locale, texts } of await loadPackagingTexts()) {
    const strings = [
      `NSMicrophoneUsageDescription = ${JSON.stringify(texts.microphone)};`,
      `NSCameraUsageDescription = ${JSON.stringify(texts.camera)};`,
      '',
    ].join('\n');
    const places = readdirSync(resources).filter((name) =>
      new RegExp(`^${locale}([_-].*)?\\.lproj$`).test(name),
    );
    for (const place of places) {
      writeFileSync(join(resources, place, 'InfoPlist.strings'), strings);
    }
  }
};
