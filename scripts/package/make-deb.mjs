import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { inRoot } from '../lib/root.mjs';
import { plainLines, run } from '../lib/run.mjs';
import { Stop } from '../lib/stop.mjs';
import { debDependencies } from './deb-dependencies.mjs';
import { processorOf } from './elf-file.mjs';
import { layOut, setModes } from './lay-out.mjs';
import { readManifest } from './load-product.mjs';

/** Debian wants an address of whoever answers for a package; there is none yet that is read. */
const maintainer = 'The Parley authors <parley@example.invalid>';

/** @type {Readonly<Record<string, string>>} */
const architectures = { x64: 'amd64', arm64: 'arm64' };

/**
 * Makes a Debian package of what electron-builder has laid out, with Debian's own tool: the one that electron-builder
 * would use is downloaded, and knows neither manual nor completions.
 * @param {{ unpacked: string, date: Date }} given
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

/** @param {{ unpacked: string, stage: string, date: Date }} given */
export const stageDeb = async ({ unpacked, stage, date }) => {
  await layOut({ unpacked, stage, date, zsh: 'share/zsh/vendor-completions' });
  const overrides = join(stage, 'usr/share/lintian/overrides');
  mkdirSync(overrides, { recursive: true });
  copyFileSync(inRoot('scripts/package/deb/lintian-overrides'), join(overrides, 'parley'));
  const doc = join(stage, 'usr/share/doc/parley');
  writeFileSync(join(doc, 'changelog.gz'), gzipSync(debianChangelog(date), { level: 9 }));
  const depends = await debDependencies(stage);
  const files = filesIn(stage);
  const about = join(stage, 'DEBIAN');
  mkdirSync(about);
  writeFileSync(join(about, 'control'), control({ depends, kilobytes: sizeOf(files) }));
  writeFileSync(join(about, 'md5sums'), files.map((file) => md5Line(stage, file)).join(''));
  copyFileSync(inRoot('scripts/package/deb/prerm'), join(about, 'prerm'));
  for (const folder of [about, join(stage, 'usr/share')]) setModes(folder);
  chmodSync(stage, 0o755);
};

/** @param {Date} date as Debian's tools read it; what is new is told to people in NEWS.gz */
const debianChangelog = (date) =>
  [
    `parley (${readManifest().version}) unstable; urgency=medium`,
    '',
    '  * What is new in this release stands in /usr/share/doc/parley/NEWS.gz.',
    '',
    ` -- ${maintainer}  ${date.toUTCString().replace('GMT', '+0000')}`,
    '',
  ].join('\n');

/**
 * @param {object} given
 * @param {string} given.stage
 * @param {Date} given.date
 * @param {string} given.version
 * @param {'xz' | 'none'} given.compression
 * @param {string} given.folder where it is put
 * @returns {Promise<string>} the file
 */
export const buildDeb = async ({ stage, date, version, compression, folder }) => {
  const processor = processorOf(join(stage, 'usr/lib/parley/parley'));
  const architecture = architectures[processor] ?? processor;
  const file = join(stage, 'DEBIAN/control');
  const fields = readFileSync(file, 'utf8').replace(/^(Version|Architecture):.*\n/gm, '');
  writeFileSync(
    file,
    // A version that comes before a release sorts before it.
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

/** @param {{ depends: readonly string[], kilobytes: number }} given */
const control = ({ depends, kilobytes }) => {
  const { homepage } = readManifest();
  return [
    'Package: parley',
    `Maintainer: ${maintainer}`,
    `Installed-Size: ${kilobytes}`,
    `Depends: ${depends.join(', ')}`,
    // ALSA's way to the sound server of the desktop, and a place for tokens.
    'Recommends: libasound2-plugins, gnome-keyring | libsecret-1-0, hicolor-icon-theme',
    'Suggests: ffmpeg',
    'Section: net',
    'Priority: optional',
    `Homepage: ${homepage}`,
    'Description: talk with an assistant that listens, sees and answers',
    ' Parley listens while it speaks, can be interrupted, and sees your camera or',
    ' your screen if you let it. It speaks with a MiniCPM-o server of your choice,',
    ' and offline with a demonstration of its own.',
    '',
  ].join('\n');
};

/** @param {string} folder @returns {string[]} in a stable order */
const filesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();

/** @param {readonly string[]} files @returns {number} kilobytes, as dpkg counts: each file begins one */
const sizeOf = (files) =>
  files.reduce((sum, file) => sum + Math.ceil(statSync(file).size / 1024), 0);

/** @param {string} stage @param {string} file */
const md5Line = (stage, file) =>
  `${createHash('md5').update(readFileSync(file)).digest('hex')}  ${relative(stage, file)}\n`;
