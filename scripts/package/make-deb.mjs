import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  mkdtempSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, dirname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { inRoot } from '../lib/root.mjs';
import { plainLines, run, which } from '../lib/run.mjs';
import { Stop } from '../lib/stop.mjs';
import { processorOf, elfFilesIn } from './elf-file.mjs';
import { layOut, setModes } from './lay-out.mjs';
import { readManifest } from './load-product.mjs';

/** Debian requires a maintainer's address. No mailbox exists yet. */
const maintainer = 'The Parley authors <parley@example.invalid>';

/** @type {Readonly<Record<string, string>>} */
const architectures = { x64: 'amd64', arm64: 'arm64' };

/**
 * Builds a Debian package from electron-builder's output with dpkg-deb. electron-builder's own tool needs a download and
 * supports neither manual pages nor completions.
 * @param {{ unpacked: string, date: Date }} options
 * @returns {Promise<string>} the file
 */
export const makeDeb = async ({ unpacked, date }) => {
  const stage = inRoot('release', '.deb');
  await stageDeb({ unpacked, date, stage });
  const deb = await buildDeb({
    stage,
    date,
    version: readManifest().version,
    compression: 'xz',
    folder: inRoot('release'),
  });
  rmSync(stage, { recursive: true, force: true });
  return deb;
};

/** @param {{ unpacked: string, stage: string, date: Date }} options */
export const stageDeb = async ({ unpacked, stage, date }) => {
  await layOut({ unpacked, stage, date, zsh: 'share/zsh/vendor-completions' });
  const overrides = join(stage, 'usr/share/lintian/overrides');
  mkdirSync(overrides, { recursive: true });
  copyFileSync(inRoot('scripts/package/deb/lintian-overrides'), join(overrides, 'parley'));
  const doc = join(stage, 'usr/share/doc/parley');
  writeFileSync(join(doc, 'changelog.gz'), gzipSync(debianChangelog(date), { level: 9 }));
  const depends = await debDependencies(stage);
  const files = filesIn(stage);
  const controlFolder = join(stage, 'DEBIAN');
  mkdirSync(controlFolder);
  writeFileSync(
    join(controlFolder, 'control'),
    control({ depends, kilobytes: sumKilobytes(files) }),
  );
  writeFileSync(join(controlFolder, 'md5sums'), files.map((file) => md5Line(stage, file)).join(''));
  copyFileSync(inRoot('scripts/package/deb/prerm'), join(controlFolder, 'prerm'));
  for (const folder of [controlFolder, join(stage, 'usr/share')]) setModes(folder);
  chmodSync(stage, 0o755);
};

/** The changelog that Debian's tools read. NEWS.gz has the one for people. @param {Date} date */
const debianChangelog = (date) =>
  [
    `parley (${readManifest().version}) unstable; urgency=medium`,
    '',
    '  * See /usr/share/doc/parley/NEWS.gz for the changes in this release.',
    '',
    ` -- ${maintainer}  ${date.toUTCString().replace('GMT', '+0000')}`,
    '',
  ].join('\n');

/**
 * @param {object} options
 * @param {string} options.stage
 * @param {Date} options.date
 * @param {string} options.version
 * @param {'xz' | 'none'} options.compression
 * @param {string} options.folder output folder
 * @returns {Promise<string>} the file
 */
export const buildDeb = async ({ stage, date, version, compression, folder }) => {
  const processor = processorOf(join(stage, 'usr/lib/parley/parley'));
  const architecture = architectures[processor] ?? processor;
  const file = join(stage, 'DEBIAN/control');
  const fields = readFileSync(file, 'utf8').replace(/^(Version|Architecture):.*\n/gm, '');
  writeFileSync(
    file,
    // `~` sorts a pre-release before its release.
    `${fields}Version: ${version.replace('-', '~')}\nArchitecture: ${architecture}\n`,
  );
  const deb = join(folder, `parley_${version}_${architecture}.deb`);
  const { code, output } = await run(
    'dpkg-deb',
    ['--root-owner-group', `-Z${compression}`, '--build', stage, deb],
    { env: { ...process.env, SOURCE_DATE_EPOCH: String(Math.floor(date.getTime() / 1000)) } },
  );
  if (code !== 0) {
    throw new Stop(`The Debian package could not be made: ${plainLines(output).at(-1) ?? code}`);
  }
  return deb;
};

/** @param {{ depends: readonly string[], kilobytes: number }} options */
const control = ({ depends, kilobytes }) => {
  const { homepage } = readManifest();
  return [
    'Package: parley',
    `Maintainer: ${maintainer}`,
    `Installed-Size: ${kilobytes}`,
    `Depends: ${depends.join(', ')}`,
    // ALSA's plugin for the desktop's sound server, parec for the computer's sound, and a keyring for tokens.
    'Recommends: libasound2-plugins, pulseaudio-utils, gnome-keyring | libsecret-1-0, hicolor-icon-theme',
    'Suggests: ffmpeg',
    'Section: net',
    'Priority: optional',
    `Homepage: ${homepage}`,
    'Description: talk with an assistant that listens, sees and answers',
    ' Parley listens while it speaks, can be interrupted, and sees your camera or',
    ' your screen if you let it. It speaks with a MiniCPM-o server of your choice,',
    ' and offline with the built-in demonstration.',
    '',
  ].join('\n');
};

/** @param {string} folder @returns {string[]} sorted */
const filesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();

/** @param {readonly string[]} files @returns {number} kilobytes; dpkg rounds each file up */
const sumKilobytes = (files) =>
  files.reduce((sum, file) => sum + Math.ceil(statSync(file).size / 1024), 0);

/** @param {string} stage @param {string} file */
const md5Line = (stage, file) =>
  `${createHash('md5').update(readFileSync(file)).digest('hex')}  ${relative(stage, file)}\n`;

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
const debDependencies = async (stage) => {
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
