import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from '../lib/run.mjs';
import { which } from '../lib/which.mjs';
import { elfFilesIn, processorOf } from './elf-file.mjs';

/**
 * Packages that Electron loads by name at run time (GTK, notifications, the keyring) or runs (xdg-open), so no ELF file
 * lists them.
 */
const openedByName = ['libgtk-3-0', 'libnotify4', 'libsecret-1-0', 'libxtst6', 'xdg-utils'];

/**
 * Used where dpkg-shlibdeps cannot run, because it needs each library for the package's processor: the dependencies of
 * Electron's own packages, plus those of global keys.
 */
const defaultPackages = (
  'libc6 libstdc++6 libasound2 libatk-bridge2.0-0 libatk1.0-0 libcairo2 libcups2 libdbus-1-3 libdrm2 libexpat1 libgbm1 ' +
  'libglib2.0-0 libnspr4 libnss3 libpango-1.0-0 libx11-6 libxcb1 libxcomposite1 libxdamage1 libxext6 libxfixes3 ' +
  'libxkbcommon0 libxrandr2 libxt6'
).split(' ');

/**
 * @param {string} stage the package's staging folder
 * @returns {Promise<readonly string[]>} entries of the `Depends` field
 */
export const debDependencies = async (stage) => {
  const isNative = processorOf(join(stage, 'usr/lib/parley/parley')) === process.arch;
  const canQuery = isNative && which('dpkg-shlibdeps') !== undefined;
  const queried = canQuery ? await linkedPackages(stage) : undefined;
  const linked = queried ?? defaultPackages;
  const names = new Set(linked.map((entry) => entry.split(' ')[0]));
  return [...linked, ...openedByName.filter((name) => !names.has(name))].toSorted();
};

/** @param {string} stage @returns {Promise<readonly string[] | undefined>} */
const linkedPackages = async (stage) => {
  const files = elfFilesIn(join(stage, 'usr/lib/parley'));
  const searchPaths = [...new Set(files.map((file) => dirname(file)))].map(
    (folder) => `-l${folder}`,
  );
  // dpkg-shlibdeps runs only in a source package.
  const sourcePackage = mkdtempSync(join(tmpdir(), 'parley-deb-'));
  mkdirSync(join(sourcePackage, 'debian'));
  writeFileSync(
    join(sourcePackage, 'debian/control'),
    'Source: parley\n\nPackage: parley\nArchitecture: any\n',
  );
  const { code, output } = await run(
    'dpkg-shlibdeps',
    [
      '-O',
      '--ignore-missing-info',
      '--warnings=0',
      ...searchPaths,
      ...files.map((file) => `-e${file}`),
    ],
    { cwd: sourcePackage },
  );
  rmSync(sourcePackage, { recursive: true, force: true });
  const line = /^shlibs:Depends=(.+)$/m.exec(output)?.[1];
  return code === 0 && line !== undefined ? line.split(', ') : undefined;
};
