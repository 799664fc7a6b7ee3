import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from '../lib/run.mjs';
import { which } from '../lib/which.mjs';
import { elfFilesIn, processorOf } from './elf-file.mjs';

/**
 * What a program asks for while it runs, so that no file says it: Electron opens GTK, notifications and the keychain by
 * name, and shows folders and links through the desktop's own program.
 */
const openedByName = ['libgtk-3-0', 'libnotify4', 'libsecret-1-0', 'libxtst6', 'xdg-utils'];

/**
 * Where nobody can be asked what the files are linked with (Debian's tool wants each library in the package's own kind of
 * processor): what Electron's own packages name, and what keys in other programs take.
 */
const usual = (
  'libc6 libstdc++6 libasound2 libatk-bridge2.0-0 libatk1.0-0 libcairo2 libcups2 libdbus-1-3 libdrm2 libexpat1 libgbm1 ' +
  'libglib2.0-0 libnspr4 libnss3 libpango-1.0-0 libx11-6 libxcb1 libxcomposite1 libxdamage1 libxext6 libxfixes3 ' +
  'libxkbcommon0 libxrandr2 libxt6'
).split(' ');

/**
 * @param {string} stage where a package is laid out
 * @returns {Promise<readonly string[]>} as `Depends` names them
 */
export const debDependencies = async (stage) => {
  const own = processorOf(join(stage, 'usr/lib/parley/parley')) === process.arch;
  const canAsk = own && which('dpkg-shlibdeps') !== undefined;
  const asked = canAsk ? await linkedPackages(stage) : undefined;
  const linked = asked ?? usual;
  const names = new Set(linked.map((entry) => entry.split(' ')[0]));
  return [...linked, ...openedByName.filter((name) => !names.has(name))].toSorted();
};

/** @param {string} stage @returns {Promise<readonly string[] | undefined>} */
const linkedPackages = async (stage) => {
  const files = elfFilesIn(join(stage, 'usr/lib/parley'));
  const own = [...new Set(files.map((file) => dirname(file)))].map((folder) => `-l${folder}`);
  // It wants to stand in a source package.
  const place = mkdtempSync(join(tmpdir(), 'parley-deb-'));
  mkdirSync(join(place, 'debian'));
  writeFileSync(
    join(place, 'debian/control'),
    'Source: parley\n\nPackage: parley\nArchitecture: any\n',
  );
  const { code, output } = await run(
    'dpkg-shlibdeps',
    ['-O', '--ignore-missing-info', '--warnings=0', ...own, ...files.map((file) => `-e${file}`)],
    { cwd: place },
  );
  rmSync(place, { recursive: true, force: true });
  const line = /^shlibs:Depends=(.+)$/m.exec(output)?.[1];
  return code === 0 && line !== undefined ? line.split(', ') : undefined;
};
