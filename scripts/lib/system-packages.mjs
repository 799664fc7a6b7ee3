import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { aptInstall, hasApt } from './apt.mjs';
import { run } from './run.mjs';
import { Stop } from './stop.mjs';
import { which } from './which.mjs';

/**
 * @typedef {object} Need
 * @property {string} what in words, for systems whose package names we do not know
 * @property {string | null} debian the Debian package, where we know it
 */

/** @returns {Need[]} what the compiler of the audio binding lacks */
const missingTools = () => {
  /** @type {(Need & { there: boolean })[]} */
  const tools = [
    { what: 'make', debian: 'make', there: which('make') !== undefined },
    {
      what: 'a C++ compiler (g++)',
      debian: 'g++',
      there: which('g++') !== undefined || Boolean(process.env['CXX']),
    },
    {
      what: 'Python 3',
      debian: 'python3',
      there: which('python3', 'python') !== undefined || Boolean(process.env['PYTHON']),
    },
  ];
  return tools.filter((tool) => !tool.there);
};

/**
 * Looks where loaders look, because asking `ldconfig` at every start would cost a process.
 * @param {string} name such as `libasound.so.2`
 * @returns {boolean}
 */
const isInstalled = (name) => {
  const own = (process.env['LD_LIBRARY_PATH'] ?? '').split(':').filter((folder) => folder !== '');
  const usual = ['/usr/lib64', '/usr/lib', '/lib64', '/lib', '/usr/local/lib'];
  const roots = ['/usr/lib', '/lib', '/usr/local/lib'].filter((folder) => existsSync(folder));
  const multiarch = roots.flatMap((root) =>
    readdirSync(root)
      .filter((entry) => /-linux-/.test(entry))
      .map((entry) => join(root, entry)),
  );
  return [...own, ...usual, ...multiarch].some((folder) => existsSync(join(folder, name)));
};

/**
 * Fulfils needs on Linux: through apt where it is there, otherwise in words.
 * @param {readonly Need[]} needs
 * @returns {Promise<void>}
 */
export const install = async (needs) => {
  if (needs.length === 0) return;
  const packages = needs.flatMap((need) => need.debian ?? []);
  if (hasApt() && packages.length === needs.length) return aptInstall(packages);
  throw new Stop(
    `Parley needs ${needs.map((need) => need.what).join(', ')}: install it with your system's package manager and start it again.`,
  );
};

/** What PortAudio and the part for keys are compiled with where no package brings them ready. */
const developmentFiles = [
  { library: 'libasound.so', what: "ALSA's development files", debian: 'libasound2-dev' },
  { library: 'libXrandr.so', what: "Xrandr's development files", debian: 'libxrandr-dev' },
  { library: 'libXt.so', what: "Xt's development files", debian: 'libxt-dev' },
  { library: 'libXtst.so', what: "Xtst's development files", debian: 'libxtst-dev' },
];

/**
 * What Linux lacks for Parley.
 * @param {{ compile: boolean, hasLibrary?: (name: string) => boolean, architecture?: string }} options
 * @returns {Need[]}
 */
export const linuxNeeds = ({ compile, hasLibrary = isInstalled, architecture = process.arch }) => {
  const sound = { what: 'the ALSA library (libasound.so.2)', debian: 'libasound2' };
  const more = compile && architecture === 'arm64' ? developmentFiles : [];
  return [
    ...(compile ? missingTools() : []),
    ...(hasLibrary('libasound.so.2') ? [] : [sound]),
    ...more
      .filter(({ library }) => !hasLibrary(library))
      .map(({ what, debian }) => ({ what, debian })),
  ];
};

/**
 * Sees to what npm cannot bring: the tools that compile the audio binding, and the sound library.
 * @param {{ compile: boolean }} options whether the binding is still to be compiled
 * @returns {Promise<void>}
 */
export const ensureSystemPackages = async ({ compile }) => {
  if (process.platform === 'darwin' && compile) {
    const { code } = await run('xcode-select', ['-p']);
    if (code === 0) return;
    throw new Stop(
      `Parley needs Apple's command line tools: run "xcode-select --install" and start it again.`,
    );
  }
  if (process.platform !== 'linux') return;
  await install(linuxNeeds({ compile }));
};
