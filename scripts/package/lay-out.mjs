import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { inRoot } from '../lib/root.mjs';
import { copyrightFile } from './copyright-file.mjs';
import { appId, desktopFile, metainfoFile, mimeFile } from './desktop-files.mjs';
import { kindOfFile } from './elf-file.mjs';
import { loadCommands, loadPackagingTexts, readManifest } from './load-product.mjs';
import { manPage } from './man-page.mjs';

/**
 * Lays everything out as it lies on a system: the program, and what its desktop, shells and manual find of it.
 * @param {object} given
 * @param {string} given.unpacked what electron-builder has laid out
 * @param {string} given.stage a folder that is made anew
 * @param {Date} given.date
 * @param {string} given.zsh where this kind of system has its shells' completions
 * @returns {Promise<void>}
 */
export const layOut = async ({ unpacked, stage, date, zsh }) => {
  rmSync(stage, { recursive: true, force: true });
  const program = join(stage, 'usr/lib/parley');
  mkdirSync(program, { recursive: true });
  cpSync(unpacked, program, { recursive: true, verbatimSymlinks: true });
  /** @param {string} path @param {string | Buffer} contents */
  const put = (path, contents) => {
    const file = join(stage, 'usr', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, contents);
  };
  // Whoever reads it leaves updates to the system.
  writeFileSync(join(program, 'resources', 'package-type'), 'system\n');
  rmSync(join(program, 'resources', 'update-feed.json'), { force: true });
  const { version, homepage } = readManifest();
  const [languages, commands] = await Promise.all([loadPackagingTexts(), loadCommands()]);
  const day = date.toISOString().slice(0, 10);
  put(`share/applications/${appId}.desktop`, desktopFile(languages));
  put(`share/mime/packages/${appId}.xml`, mimeFile(languages));
  put(
    `share/metainfo/${appId}.metainfo.xml`,
    metainfoFile(languages, { version, date: day, homepage }),
  );
  put('share/man/man1/parley.1.gz', zipped(manPage(commands, { version, date: day })));
  put('share/bash-completion/completions/parley', commands.completions.bash);
  put(join(zsh, '_parley'), commands.completions.zsh);
  put('share/fish/vendor_completions.d/parley.fish', commands.completions.fish);
  put('share/doc/parley/copyright', copyrightFile(date, program));
  put('share/doc/parley/NEWS.gz', zipped(readFileSync(inRoot('CHANGELOG.md'), 'utf8')));
  for (const [size, file] of icons()) {
    const scalable = size === 'scalable';
    put(
      `share/icons/hicolor/${size}/apps/${appId}.${scalable ? 'svg' : 'png'}`,
      readFileSync(file),
    );
  }
  mkdirSync(join(stage, 'usr/bin'));
  symlinkSync('../lib/parley/bin/parley', join(stage, 'usr/bin/parley'));
  setModes(join(stage, 'usr'));
  // Where the kernel gives no ordinary user a namespace, this is the sandbox's other way.
  chmodSync(join(program, 'chrome-sandbox'), 0o4755);
};

/** @param {string} text whenever it is made, the same text is the same file */
const zipped = (text) => gzipSync(text, { level: 9 });

/** @returns {(readonly [size: string, file: string])[]} */
const icons = () => {
  if (!existsSync(inRoot('resources', 'icons'))) return [];
  const pictures = readdirSync(inRoot('resources', 'icons')).map(
    (name) => /** @type {const} */ ([name.replace('.png', ''), inRoot('resources', 'icons', name)]),
  );
  const known = pictures.filter(([size]) => Number(size.split('x')[0]) <= 512);
  const drawing = inRoot('resources', 'icon.svg');
  return existsSync(drawing) ? [...known, ['scalable', drawing]] : known;
};

/**
 * Whatever the umask of whoever makes the package.
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

/** @param {string} path libraries need no such right */
const isProgram = (path) => !/\.(so(\.\d+)*|node)$/.test(path) && kindOfFile(path) !== 'other';
