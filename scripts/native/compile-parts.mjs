import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeHeaders } from '../lib/npm.mjs';
import { inRoot } from '../lib/root.mjs';
import { plainLines, run } from '../lib/run.mjs';
import { Stop } from '../lib/stop.mjs';
import { processorOf } from '../package/elf-file.mjs';
import { buildPortAudio, portAudioFileName, ensurePortAudioSources } from './portaudio.mjs';

/** @typedef {import('./native-target.mjs').NativeTarget} NativeTarget */

/**
 * Compiles the native parts that no package ships prebuilt for the target: naudiodon's binding, our own addon, and
 * uiohook-napi (global keys) for some processors.
 * @param {object} options
 * @param {string} options.modules a node_modules folder
 * @param {NativeTarget} options.target
 * @param {string} options.work where PortAudio's sources are kept
 * @returns {Promise<readonly string[]>} the compiled addons
 */
export const compileParts = async ({ modules, target, work }) => {
  const naudiodon = join(modules, 'naudiodon');
  await ensurePortAudio({ folder: join(naudiodon, 'portaudio', 'bin'), target, work });
  await gyp('configure', { folder: naudiodon, target });
  setRelativeLibraryPath(join(naudiodon, 'build', 'naudiodon.target.mk'));
  await gyp('build', { folder: naudiodon, target });
  const sound = join(modules, 'parley-sound');
  await gyp('rebuild', { folder: sound, target });
  const addons = [
    join(naudiodon, 'build', 'Release', 'naudiodon.node'),
    join(sound, 'build', 'Release', 'parley_sound.node'),
  ];
  const keys = join(modules, 'uiohook-napi');
  const ready = join(keys, 'prebuilds', `${target.platform}-${target.architecture}`);
  if (!isBuiltFor(join(ready, 'uiohook-napi.node'), target)) {
    rmSync(ready, { recursive: true, force: true });
    await gyp('rebuild', { folder: keys, target });
    addons.push(join(keys, 'build', 'Release', 'uiohook_napi.node'));
  }
  const wrong = addons.find((file) => !isBuiltFor(file, target));
  if (wrong !== undefined) {
    throw new Stop(
      `${wrong} was not built for ${target.architecture}: it is for ${processorOf(wrong)}.`,
    );
  }
  return addons;
};

/**
 * On Linux this reads the ELF header, because some prebuilt files of uiohook-napi have the name of the wrong processor.
 * @param {string} file
 * @param {NativeTarget} target
 */
const isBuiltFor = (file, { platform, architecture }) =>
  existsSync(file) && (platform !== 'linux' || processorOf(file) === architecture);

/**
 * Builds PortAudio where naudiodon ships no library; it has one for x64 only.
 * @param {{ folder: string, target: NativeTarget, work: string }} options
 */
const ensurePortAudio = async ({ folder, target, work }) => {
  const file = join(folder, portAudioFileName(target.platform));
  if (target.platform === 'linux' ? isBuiltFor(file, target) : target.architecture === 'x64')
    return;
  mkdirSync(work, { recursive: true });
  const sources = await ensurePortAudioSources(work);
  const library = await buildPortAudio({ sources, target, folder: work });
  // Replaces the file instead of its bytes: a package manager may hard-link it into other trees.
  rmSync(file, { force: true });
  copyFileSync(library, file);
};

/**
 * Relinks naudiodon's binding with a relative library path: see {@link setRelativeLibraryPath}.
 * @param {string} modules
 * @param {NativeTarget} target this machine
 * @returns {Promise<boolean>} whether the binding changed
 */
export const relinkBinding = async (modules, target) => {
  const folder = join(modules, 'naudiodon');
  if (!setRelativeLibraryPath(join(folder, 'build', 'naudiodon.target.mk'))) return false;
  await gyp('build', { folder, target });
  return true;
};

/**
 * Makes naudiodon's binding search its own folder for libraries, instead of the absolute build folder that the makefile
 * names. That folder does not exist where a package is installed, and it makes builds of the same sources differ.
 * @param {string} makefile
 * @returns {boolean} whether the makefile changed; only Linux and macOS have one
 */
const setRelativeLibraryPath = (makefile) => {
  if (!existsSync(makefile)) return false;
  const text = readFileSync(makefile, 'utf8');
  const changed = text.replaceAll(/-Wl,-rpath,\/\S+/g, "-Wl,-rpath,'$$$$ORIGIN'");
  if (changed === text) return false;
  writeFileSync(makefile, changed);
  return true;
};

/**
 * @param {'configure' | 'build' | 'rebuild'} step
 * @param {{ folder: string, target: NativeTarget }} options
 */
const gyp = async (step, { folder, target }) => {
  const { cc, cxx } = target.tools;
  const compilerEnv = target.foreign
    ? { CC: cc, CXX: cxx, LINK: cxx, AR: cc.replace(/gcc$/, 'ar') }
    : {};
  const { code, output } = await run(
    process.execPath,
    [
      inRoot('node_modules', 'node-gyp', 'bin', 'node-gyp.js'),
      step,
      `--arch=${target.architecture}`,
      '--silent',
    ],
    { cwd: folder, env: { ...process.env, ...nodeHeaders(), ...compilerEnv } },
  );
  if (code === 0) return;
  const missing = /fatal error: (\S+): No such file/.exec(output)?.[1];
  const library = /cannot find -l(\S+?):?\s/.exec(output)?.[1];
  const what = missing ?? (library === undefined ? undefined : `lib${library}`);
  throw new Stop(
    what === undefined
      ? `${folder} did not compile: ${plainLines(output).find((line) => /error/i.test(line)) ?? code}`
      : `${folder} did not compile, because ${what} for ${target.architecture} is missing: install its development package.`,
  );
};
