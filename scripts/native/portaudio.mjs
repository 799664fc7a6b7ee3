import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  readdirSync,
} from 'node:fs';
import { join } from 'node:path';
import { run, plainLines } from '../lib/run.mjs';
import { Stop } from '../lib/stop.mjs';

/** The release that naudiodon's own libraries are built from, so that every system has the same PortAudio. */
const sources = {
  version: '19.6.0',
  sha256: 'f5a21d7dcd6ee84397446fa1fa1a0675bb2e8a4a6dceb4305a8404698d8d1513',
  urls: [
    'https://files.portaudio.com/archives/pa_stable_v190600_20161030.tgz',
    'https://deb.debian.org/debian/pool/main/p/portaudio19/portaudio19_19.6.0.orig.tar.gz',
    'http://deb.debian.org/debian/pool/main/p/portaudio19/portaudio19_19.6.0.orig.tar.gz',
  ],
};

/** @param {Uint8Array} bytes */
const isExpectedArchive = (bytes) =>
  createHash('sha256').update(bytes).digest('hex') === sources.sha256;

/** @returns {Promise<Uint8Array>} */
const fetchArchive = async () => {
  const file = process.env['PARLEY_PORTAUDIO_SOURCES'] ?? '';
  if (file !== '') {
    const bytes = existsSync(file) ? readFileSync(file) : undefined;
    if (bytes !== undefined && isExpectedArchive(bytes)) return bytes;
    throw new Stop(
      `PARLEY_PORTAUDIO_SOURCES=${file} is not the archive of PortAudio ${sources.version}: correct it or unset it.`,
    );
  }
  for (const url of sources.urls) {
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(60_000) });
      const bytes = new Uint8Array(await answer.arrayBuffer());
      if (isExpectedArchive(bytes)) return bytes;
    } catch {
      // Try the next URL.
    }
  }
  throw new Stop(
    `The sources of PortAudio ${sources.version} could not be downloaded: check the connection, or point PARLEY_PORTAUDIO_SOURCES at their archive.`,
  );
};

/**
 * Downloads PortAudio's sources, for processors that naudiodon ships no library for.
 * @param {string} work a cache folder
 * @returns {Promise<string>} their folder
 */
export const ensurePortAudioSources = async (work) => {
  const folder = join(work, `portaudio-${sources.version}`);
  if (existsSync(folder)) return folder;
  const archive = join(work, 'portaudio.tar.gz');
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  writeFileSync(archive, await fetchArchive());
  const { code, output } = await run('tar', [
    '-xzf',
    archive,
    '-C',
    partial,
    '--strip-components=1',
  ]);
  if (code !== 0) throw new Stop(`PortAudio's sources could not be unpacked: ${output.trim()}`);
  renameSync(partial, folder);
  rmSync(archive);
  return folder;
};

/**
 * @typedef {object} Recipe the build that PortAudio's configure script would choose, with only the sound API that Parley uses
 * @property {string} file
 * @property {readonly string[]} folders of sources
 * @property {RegExp} [excluded] source files
 * @property {readonly string[]} flags
 * @property {readonly string[]} libraries
 */

/** @type {Readonly<Record<string, Recipe>>} */
const recipes = {
  linux: {
    file: 'libportaudio.so.2',
    folders: ['src/common', 'src/os/unix', 'src/hostapi/alsa'],
    flags: [
      '-DPA_USE_ALSA=1',
      '-shared',
      '-Wl,-soname,libportaudio.so.2',
      '-Wl,-z,relro,-z,now,-z,noexecstack',
    ],
    libraries: ['-lasound', '-lm', '-lpthread'],
  },
  darwin: {
    file: 'libportaudio.dylib',
    folders: ['src/common', 'src/os/unix', 'src/hostapi/coreaudio'],
    excluded: /_old\.c$/,
    flags: [
      '-DPA_USE_COREAUDIO=1',
      '-dynamiclib',
      '-install_name',
      '@rpath/libportaudio.dylib',
      '-mmacosx-version-min=11.0',
      // PortAudio calls deprecated functions that macOS still has.
      '-Wno-deprecated-declarations',
    ],
    libraries: ['CoreAudio', 'AudioToolbox', 'AudioUnit', 'CoreFoundation', 'CoreServices'].flatMap(
      (name) => ['-framework', name],
    ),
  },
};

/** Common to every supported system: 64 bits, little endian. */
const commonFlags = [
  '-std=gnu99',
  '-O2',
  '-fPIC',
  '-DNDEBUG',
  '-pthread',
  '-w',
  '-DPA_LITTLE_ENDIAN',
  '-DSIZEOF_SHORT=2',
  '-DSIZEOF_INT=4',
  '-DSIZEOF_LONG=8',
];

/** @param {NodeJS.Platform} platform @returns {string} the file name that naudiodon uses for the library */
export const portAudioFileName = (platform) => recipes[platform]?.file ?? 'portaudio_x64.dll';

/**
 * @param {object} options
 * @param {string} options.sources folder of PortAudio's sources
 * @param {import('./native-target.mjs').NativeTarget} options.target
 * @param {string} options.folder output folder
 * @returns {Promise<string>} the library file
 */
export const buildPortAudio = async ({ sources, target, folder }) => {
  const recipe = recipes[target.platform];
  if (recipe === undefined) {
    throw new Stop(
      `PortAudio cannot be built for ${target.platform} on ${target.architecture}: use the package for x64, which also runs on this system.`,
    );
  }
  const file = join(folder, recipe.file);
  const files = recipe.folders.flatMap((name) =>
    readdirSync(join(sources, name))
      .filter((entry) => entry.endsWith('.c') && recipe.excluded?.test(entry) !== true)
      .toSorted()
      // Paths relative to the sources keep this machine's folders out of the library.
      .map((entry) => `${name}/${entry}`),
  );
  const { code, output } = await run(
    target.tools.cc,
    [
      ...commonFlags,
      ...['include', ...recipe.folders].map((name) => `-I${name}`),
      ...recipe.flags,
      '-o',
      file,
      ...files,
      ...recipe.libraries,
    ],
    { cwd: sources },
  );
  if (code === 0) return file;
  const missesHeaders =
    /fatal error: (alsa\/\S+)/.test(output) || /cannot find -lasound/.test(output);
  throw new Stop(
    missesHeaders
      ? `ALSA's development files for ${target.architecture} are missing: install libasound2-dev${target.foreign ? `:${target.architecture}` : ''}.`
      : `PortAudio did not compile: ${plainLines(output).find((line) => line.includes('error')) ?? code}`,
  );
};
