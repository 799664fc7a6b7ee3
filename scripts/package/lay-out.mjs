import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { inRoot } from '../lib/root.mjs';
import { appId, desktopFile, metainfoFile, mimeFile } from './desktop-files.mjs';
import { kindOfFile } from './elf-file.mjs';
import { loadCommands, loadPackagingTexts, readManifest } from './load-product.mjs';
import { manPage } from './man-page.mjs';
import { readBill } from './shipped-parts.mjs';

/**
 * Copies the program, desktop files, shell completions and manual into a staging folder, as a system package installs them.
 * @param {object} options
 * @param {string} options.unpacked electron-builder's output folder
 * @param {string} options.stage deleted and created again
 * @param {Date} options.date
 * @param {string} options.zsh the folder for zsh completions on this distribution
 * @returns {Promise<void>}
 */
export const layOut = async ({ unpacked, stage, date, zsh }) => {
  rmSync(stage, { recursive: true, force: true });
  const program = join(stage, 'usr/lib/parley');
  mkdirSync(program, { recursive: true });
  cpSync(unpacked, program, { recursive: true, verbatimSymlinks: true });
  /** @param {string} path @param {string | Buffer} contents */
  const write = (path, contents) => {
    const file = join(stage, 'usr', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, contents);
  };
  // This file makes Parley leave updates to the system.
  writeFileSync(join(program, 'resources', 'package-type'), 'system\n');
  rmSync(join(program, 'resources', 'update-feed.json'), { force: true });
  const { version, homepage } = readManifest();
  const [languages, commands] = await Promise.all([loadPackagingTexts(), loadCommands()]);
  const day = date.toISOString().slice(0, 10);
  write(`share/applications/${appId}.desktop`, desktopFile(languages));
  write(`share/mime/packages/${appId}.xml`, mimeFile(languages));
  write(
    `share/metainfo/${appId}.metainfo.xml`,
    metainfoFile(languages, { version, date: day, homepage }),
  );
  write('share/man/man1/parley.1.gz', gzip(manPage(commands, { version, date: day })));
  write('share/bash-completion/completions/parley', commands.completions.bash);
  write(join(zsh, '_parley'), commands.completions.zsh);
  write('share/fish/vendor_completions.d/parley.fish', commands.completions.fish);
  write('share/doc/parley/copyright', copyrightFile(date, program));
  write('share/doc/parley/NEWS.gz', gzip(readFileSync(inRoot('CHANGELOG.md'), 'utf8')));
  for (const [size, file] of listIcons()) {
    const scalable = size === 'scalable';
    write(
      `share/icons/hicolor/${size}/apps/${appId}.${scalable ? 'svg' : 'png'}`,
      readFileSync(file),
    );
  }
  mkdirSync(join(stage, 'usr/bin'));
  symlinkSync('../lib/parley/bin/parley', join(stage, 'usr/bin/parley'));
  setModes(join(stage, 'usr'));
  // The setuid helper is the sandbox's fallback where the kernel denies user namespaces.
  chmodSync(join(program, 'chrome-sandbox'), 0o4755);
};

/** Compresses without a time stamp, so that builds are reproducible. @param {string} text */
const gzip = (text) => gzipSync(text, { level: 9 });

/** @returns {(readonly [size: string, file: string])[]} */
const listIcons = () => {
  if (!existsSync(inRoot('resources', 'icons'))) return [];
  const pictures = readdirSync(inRoot('resources', 'icons')).map(
    (name) => /** @type {const} */ ([name.replace('.png', ''), inRoot('resources', 'icons', name)]),
  );
  // Icon themes have no folder for larger pictures.
  const themed = pictures.filter(([size]) => Number(size.split('x')[0]) <= 512);
  const svg = inRoot('resources', 'icon.svg');
  return existsSync(svg) ? [...themed, ['scalable', svg]] : themed;
};

/**
 * Sets file modes, independent of the builder's umask.
 * @param {string} folder
 */
export const setModes = (folder) => {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) setModes(path);
    else if (entry.isFile()) chmodSync(path, isProgram(path) ? 0o755 : 0o644);
  }
};

/** Whether the file needs the executable bit. Libraries do not. @param {string} path */
const isProgram = (path) => !/\.(so(\.\d+)*|node)$/.test(path) && kindOfFile(path) !== 'other';

/** Indents the text as Debian's multi-line fields require. @param {string} text */
const foldField = (text) =>
  text
    .trim()
    .split('\n')
    .map((line) => ` ${line.trimEnd() === '' ? '.' : line.trimEnd()}`)
    .join('\n');

/**
 * Text of /usr/share/doc/parley/copyright, in Debian's machine-readable format.
 * @param {Date} date
 * @param {string} program the packed app's folder
 * @returns {string}
 */
const copyrightFile = (date, program) => {
  const { homepage } = readManifest();
  const parts = readBill(program);
  return [
    'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/',
    'Upstream-Name: Parley',
    `Source: ${homepage}`,
    '',
    'Files: *',
    `Copyright: ${date.getUTCFullYear()} The Parley authors`,
    'License: Apache-2.0',
    foldField('On Debian systems the full text is in /usr/share/common-licenses/Apache-2.0.'),
    '',
    'Files: usr/lib/parley/*',
    'Copyright: The Electron contributors, The Chromium Authors, and others',
    'License: MIT and BSD-3-Clause and others',
    foldField(
      'Their texts are in /usr/lib/parley/LICENSES.chromium.html. The texts for the parts of Parley itself are in\n' +
        '/usr/lib/parley/LICENSES.parley.txt:\n' +
        parts.map(({ name, version, licence }) => [name, version, licence].join(' ')).join('\n'),
    ),
    '',
  ].join('\n');
};
