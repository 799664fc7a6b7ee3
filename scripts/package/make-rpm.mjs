import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '../lib/root.mjs';
import { plainLines, run } from '../lib/run.mjs';
import { Stop } from '../lib/stop.mjs';
import { processorOf } from './elf-file.mjs';
import { layOut } from './lay-out.mjs';
import { readManifest } from './load-product.mjs';

/** @type {Readonly<Record<string, string>>} */
const architectures = { x64: 'x86_64', arm64: 'aarch64' };

/**
 * Builds an RPM from electron-builder's output with the system's rpmbuild.
 * @param {{ unpacked: string, date: Date }} options
 * @returns {Promise<string>} the file
 */
export const makeRpm = async ({ unpacked, date }) => {
  const processor = processorOf(join(unpacked, 'parley'));
  const architecture = architectures[processor] ?? processor;
  const work = inRoot('release', '.rpm');
  const stage = join(work, 'stage');
  rmSync(work, { recursive: true, force: true });
  await layOut({ unpacked, stage, date, zsh: 'share/zsh/site-functions' });
  mkdirSync(join(work, 'out'));
  const spec = join(work, 'parley.spec');
  writeFileSync(spec, specFile(stage));
  const { code, output } = await run(
    'rpmbuild',
    ['-bb', `--target=${architecture}`, '-D', `_topdir ${work}`, '-D', `_rpmdir ${work}/out`, spec],
    { env: { ...process.env, SOURCE_DATE_EPOCH: String(Math.floor(date.getTime() / 1000)) } },
  );
  const folder = join(work, 'out', architecture);
  const name = code === 0 ? readdirSync(folder).find((file) => file.endsWith('.rpm')) : undefined;
  if (name === undefined) {
    throw new Stop(`The RPM could not be made: ${plainLines(output).at(-1) ?? code}`);
  }
  const file = inRoot('release', name);
  renameSync(join(folder, name), file);
  rmSync(work, { recursive: true, force: true });
  return file;
};

/** @param {string} stage */
const specFile = (stage) => {
  const { version, description, homepage, license } = readManifest();
  return [
    'Name: parley',
    // `~` sorts a pre-release before its release.
    `Version: ${version.replace('-', '~')}`,
    'Release: 1',
    `Summary: ${description}`,
    `License: ${license}`,
    `URL: ${homepage}`,
    // rpmbuild finds linked libraries. These are loaded by name, or are programs.
    'Requires: libgtk-3.so.0()(64bit), libnotify.so.4()(64bit), libsecret-1.so.0()(64bit), xdg-utils',
    'Recommends: alsa-plugins-pulseaudio, pulseaudio-utils, hicolor-icon-theme',
    '%description',
    `${description}.`,
    '',
    // Electron's bundled libraries must not appear among what the package provides or requires.
    '%global __provides_exclude_from ^/usr/lib/parley/.*$',
    String.raw`%global __requires_exclude ^lib(ffmpeg|EGL|GLESv2|vk_swiftshader|vulkan|portaudio|vips).*$`,
    '%global _build_id_links none',
    '%global debug_package %{nil}',
    '%global __os_install_post %{nil}',
    '%global _binary_payload w6.zstdio',
    '%global use_source_date_epoch_as_buildtime 1',
    '%global clamp_mtime_to_source_date_epoch 1',
    '%install',
    `cp -a "${stage}/." "%{buildroot}/"`,
    '%files',
    '%defattr(-,root,root,-)',
    '/usr/bin/parley',
    '%attr(4755,root,root) /usr/lib/parley/chrome-sandbox',
    '/usr/lib/parley',
    '/usr/share/applications/*',
    '/usr/share/bash-completion/completions/parley',
    '/usr/share/doc/parley',
    '/usr/share/fish/vendor_completions.d/parley.fish',
    '/usr/share/icons/hicolor/*/apps/*',
    '/usr/share/man/man1/parley.1.gz',
    '/usr/share/metainfo/*',
    '/usr/share/mime/packages/*',
    '/usr/share/zsh/site-functions/_parley',
    '',
  ].join('\n');
};
