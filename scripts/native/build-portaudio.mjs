import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { plainLines, run } from '../lib/run.mjs';
import { Stop } from '../lib/stop.mjs';

/**
 * @typedef {object} Recipe what PortAudio's own configure makes of a system, with the one sound system that Parley uses there
 * @property {string} file
 * @property {readonly string[]} folders of its sources
 * @property {RegExp} [leftOut] of their files
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
    leftOut: /_old\.c$/,
    flags: [
      '-DPA_USE_COREAUDIO=1',
      '-dynamiclib',
      '-install_name',
      '@rpath/libportaudio.dylib',
      '-mmacosx-version-min=11.0',
      // Its calls are old ones, which the system still has.
      '-Wno-deprecated-declarations',
    ],
    libraries: ['CoreAudio', 'AudioToolbox', 'AudioUnit', 'CoreFoundation', 'CoreServices'].flatMap(
      (name) => ['-framework', name],
    ),
  },
};

/** What configure finds of every system that is left: 64 bits, and the lower byte first. */
const everywhere = [
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

/** @param {NodeJS.Platform} platform @returns {string} as naudiodon's own is called there */
export const portAudioFile = (platform) => recipes[platform]?.file ?? 'portaudio_x64.dll';

/**
 * @param {object} given
 * @param {string} given.sources PortAudio's
 * @param {import('./native-target.mjs').NativeTarget} given.target
 * @param {string} given.folder where the library is put
 * @returns {Promise<string>} it
 */
export const buildPortAudio = async ({ sources, target, folder }) => {
  const recipe = recipes[target.platform];
  if (recipe === undefined) {
    throw new Stop(
      `There is no PortAudio for ${target.platform} on ${target.architecture}: take the package for x64, which this system runs as well.`,
    );
  }
  const file = join(folder, recipe.file);
  const files = recipe.folders.flatMap((name) =>
    readdirSync(join(sources, name))
      .filter((entry) => entry.endsWith('.c') && recipe.leftOut?.test(entry) !== true)
      .toSorted()
      // As seen from the sources: no folder of this machine gets into the library.
      .map((entry) => `${name}/${entry}`),
  );
  const { code, output } = await run(
    target.tools.cc,
    [
      ...everywhere,
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
  const header = /fatal error: (alsa\/\S+)/.test(output) || /cannot find -lasound/.test(output);
  throw new Stop(
    header
      ? `ALSA's development files for ${target.architecture} are missing: install libasound2-dev${target.foreign ? `:${target.architecture}` : ''}.`
      : `PortAudio did not compile: ${plainLines(output).find((line) => line.includes('error')) ?? code}`,
  );
};
