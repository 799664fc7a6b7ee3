import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeHeaders } from '../lib/npm.mjs';
import { inRoot } from '../lib/root.mjs';
import { plainLines, run } from '../lib/run.mjs';
import { Stop } from '../lib/stop.mjs';
import { processorOf } from '../package/elf-file.mjs';
import { buildPortAudio, portAudioFile } from './build-portaudio.mjs';
import { portAudioSources } from './portaudio-sources.mjs';

/** @typedef {import('./native-target.mjs').NativeTarget} NativeTarget */

/**
 * Compiles what is native and not brought along ready for the target: naudiodon's binding, our own addon, and keys in
 * other programs where the part for a kind of processor is not there.
 * @param {object} given
 * @param {string} given.modules a folder of packages
 * @param {NativeTarget} given.target
 * @param {string} given.work where sources are kept
 * @returns {Promise<readonly string[]>} the addons that were made
 */
export const compileParts = async ({ modules, target, work }) => {
  const naudiodon = join(modules, 'naudiodon');
  await seeToPortAudio({ folder: join(naudiodon, 'portaudio', 'bin'), target, work });
  await gyp('configure', { folder: naudiodon, target });
  lookBeside(join(naudiodon, 'build', 'naudiodon.target.mk'));
  await gyp('build', { folder: naudiodon, target });
  const sound = join(modules, 'parley-sound');
  await gyp('rebuild', { folder: sound, target });
  const made = [
    join(naudiodon, 'build', 'Release', 'naudiodon.node'),
    join(sound, 'build', 'Release', 'parley_sound.node'),
  ];
  const keys = join(modules, 'uiohook-napi');
  const ready = join(keys, 'prebuilds', `${target.platform}-${target.architecture}`);
  if (!isFor(join(ready, 'uiohook-napi.node'), target)) {
    rmSync(ready, { recursive: true, force: true });
    await gyp('rebuild', { folder: keys, target });
    made.push(join(keys, 'build', 'Release', 'uiohook_napi.node'));
  }
  const wrong = made.find((file) => !isFor(file, target));
  if (wrong !== undefined) {
    throw new Stop(
      `${wrong} was not made for ${target.architecture}: it is for ${processorOf(wrong)}.`,
    );
  }
  return made;
};

/**
 * Some of the parts that uiohook-napi brings for Linux bear the name of a processor that they are not for, so it is
 * looked inside; of other systems' files the name is believed.
 * @param {string} file
 * @param {NativeTarget} target
 */
const isFor = (file, { platform, architecture }) =>
  existsSync(file) && (platform !== 'linux' || processorOf(file) === architecture);

/**
 * naudiodon brings a library for x64 only, and links with whatever lies in its place.
 * @param {{ folder: string, target: NativeTarget, work: string }} given
 */
const seeToPortAudio = async ({ folder, target, work }) => {
  const file = join(folder, portAudioFile(target.platform));
  if (target.platform === 'linux' ? isFor(file, target) : target.architecture === 'x64') return;
  mkdirSync(work, { recursive: true });
  const sources = await portAudioSources(work);
  const made = await buildPortAudio({ sources, target, folder: work });
  // Another file, not other bytes in the one that a package manager may share with other trees.
  rmSync(file, { force: true });
  copyFileSync(made, file);
};

/**
 * Links the binding anew that npm has compiled here: see {@link lookBeside}.
 * @param {string} modules
 * @param {NativeTarget} target this machine
 * @returns {Promise<boolean>} whether it was not like that before
 */
export const linkBindingAnew = async (modules, target) => {
  const folder = join(modules, 'naudiodon');
  if (!lookBeside(join(folder, 'build', 'naudiodon.target.mk'))) return false;
  await gyp('build', { folder, target });
  return true;
};

/**
 * naudiodon's build file names the folder it is built in, which nobody has who installs a package, and which makes of
 * the same sources other bytes in every folder.
 * @param {string} makefile
 * @returns {boolean} whether it was changed; other systems have none
 */
const lookBeside = (makefile) => {
  if (!existsSync(makefile)) return false;
  const text = readFileSync(makefile, 'utf8');
  const beside = text.replaceAll(/-Wl,-rpath,\/\S+/g, "-Wl,-rpath,'$$$$ORIGIN'");
  if (beside === text) return false;
  writeFileSync(makefile, beside);
  return true;
};

/**
 * @param {'configure' | 'build' | 'rebuild'} step
 * @param {{ folder: string, target: NativeTarget }} given
 */
const gyp = async (step, { folder, target }) => {
  const { cc, cxx } = target.tools;
  const own = target.foreign ? { CC: cc, CXX: cxx, LINK: cxx, AR: cc.replace(/gcc$/, 'ar') } : {};
  const { code, output } = await run(
    process.execPath,
    [
      inRoot('node_modules', 'node-gyp', 'bin', 'node-gyp.js'),
      step,
      `--arch=${target.architecture}`,
      '--silent',
    ],
    { cwd: folder, env: { ...process.env, ...nodeHeaders(), ...own } },
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
