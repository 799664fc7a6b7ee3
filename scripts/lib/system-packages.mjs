import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { aptInstall, hasApt } from './apt.mjs';
import { run, which } from './run.mjs';
import { Stop } from './stop.mjs';

/**
 * @typedef {object} Requirement
 * @property {string} what a description, for systems whose package names we do not know
 * @property {string | null} debian the Debian package, if known
 */

/** @returns {Requirement[]} the missing tools among those that compile naudiodon */
const missingTools = () => {
  /** @type {(Requirement & { isPresent: boolean })[]} */
  const tools = [
    { what: 'make', debian: 'make', isPresent: which('make') !== undefined },
    {
      what: 'a C++ compiler (g++)',
      debian: 'g++',
      isPresent: which('g++') !== undefined || Boolean(process.env['CXX']),
    },
    {
      what: 'Python 3',
      debian: 'python3',
      isPresent: which('python3', 'python') !== undefined || Boolean(process.env['PYTHON']),
    },
  ];
  return tools.filter((tool) => !tool.isPresent);
};

/**
 * Searches the loader's folders, because running `ldconfig` at every start would be slow.
 * @param {string} name such as `libasound.so.2`
 * @returns {boolean}
 */
const isInstalled = (name) => {
  const configured = (process.env['LD_LIBRARY_PATH'] ?? '')
    .split(':')
    .filter((folder) => folder !== '');
  const standard = ['/usr/lib64', '/usr/lib', '/lib64', '/lib', '/usr/local/lib'];
  const roots = ['/usr/lib', '/lib', '/usr/local/lib'].filter((folder) => existsSync(folder));
  const multiarch = roots.flatMap((root) =>
    readdirSync(root)
      .filter((entry) => /-linux-/.test(entry))
      .map((entry) => join(root, entry)),
  );
  return [...configured, ...standard, ...multiarch].some((folder) =>
    existsSync(join(folder, name)),
  );
};

/**
 * Installs packages with apt, which needs root rights. Otherwise it throws a message with the command to run, or with a
 * list of the missing things if there is no apt or we do not know the name of a package.
 * @param {readonly Requirement[]} requirements
 * @returns {Promise<void>}
 */
export const installRequirements = async (requirements) => {
  if (requirements.length === 0) return;
  const packages = requirements.flatMap((requirement) => requirement.debian ?? []);
  if (hasApt() && packages.length === requirements.length) return aptInstall(packages);
  throw new Stop(
    `Parley needs ${requirements.map((requirement) => requirement.what).join(', ')}: install it with your system's package manager and start it again.`,
  );
};

/** For compiling PortAudio and the global-keys addon, where no prebuilt ones exist (arm64). */
const developmentFiles = [
  { library: 'libasound.so', what: "ALSA's development files", debian: 'libasound2-dev' },
  { library: 'libXrandr.so', what: "Xrandr's development files", debian: 'libxrandr-dev' },
  { library: 'libXt.so', what: "Xt's development files", debian: 'libxt-dev' },
  { library: 'libXtst.so', what: "Xtst's development files", debian: 'libxtst-dev' },
];

/**
 * @param {{ compile: boolean, hasLibrary?: (name: string) => boolean, architecture?: string }} options
 * @returns {Requirement[]}
 */
export const findMissingOnLinux = ({
  compile,
  hasLibrary = isInstalled,
  architecture = process.arch,
}) => {
  const sound = { what: 'the ALSA library (libasound.so.2)', debian: 'libasound2' };
  const compileTimeFiles = compile && architecture === 'arm64' ? developmentFiles : [];
  return [
    ...(compile ? missingTools() : []),
    ...(hasLibrary('libasound.so.2') ? [] : [sound]),
    ...compileTimeFiles
      .filter(({ library }) => !hasLibrary(library))
      .map(({ what, debian }) => ({ what, debian })),
  ];
};

/**
 * Installs what npm cannot: the tools that compile naudiodon, and the sound library.
 * @param {{ compile: boolean }} options whether naudiodon must be compiled
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
  await installRequirements(findMissingOnLinux({ compile }));
};

/**
 * The Debian package of each library that Electron links to; apt.mjs adds the `t64` suffix where needed.
 * @type {readonly (readonly [RegExp, string])[]}
 */
const libraryPackages = [
  [/^libgtk-3\.|^libgdk-3\./, 'libgtk-3-0'],
  [/^lib(nss3|nssutil3|smime3|ssl3)\./, 'libnss3'],
  [/^lib(nspr4|plc4|plds4)\./, 'libnspr4'],
  [/^libgbm\./, 'libgbm1'],
  [/^libdrm\./, 'libdrm2'],
  [/^libnotify\./, 'libnotify4'],
  [/^libsecret-1\./, 'libsecret-1-0'],
  [/^libXss\./, 'libxss1'],
  [/^libXtst\./, 'libxtst6'],
  [/^libatspi\./, 'libatspi2.0-0'],
  [/^libatk-1\.0\./, 'libatk1.0-0'],
  [/^libatk-bridge-2\.0\./, 'libatk-bridge2.0-0'],
  [/^libcups\./, 'libcups2'],
  [/^libxkbcommon\./, 'libxkbcommon0'],
  [/^libasound\./, 'libasound2'],
  [/^lib(gio|glib|gobject|gmodule)-2\.0\./, 'libglib2.0-0'],
  [/^libpangocairo-1\.0\./, 'libpangocairo-1.0-0'],
  [/^libpango-1\.0\./, 'libpango-1.0-0'],
  [/^libcairo\./, 'libcairo2'],
  [/^libX11\./, 'libx11-6'],
  [/^libX11-xcb\./, 'libx11-xcb1'],
  [/^libxcb\./, 'libxcb1'],
  [/^libxcb-dri3\./, 'libxcb-dri3-0'],
  [/^libXcomposite\./, 'libxcomposite1'],
  [/^libXdamage\./, 'libxdamage1'],
  [/^libXext\./, 'libxext6'],
  [/^libXfixes\./, 'libxfixes3'],
  [/^libXrandr\./, 'libxrandr2'],
  [/^libexpat\./, 'libexpat1'],
  [/^libdbus-1\./, 'libdbus-1-3'],
  [/^libudev\./, 'libudev1'],
];

/**
 * @param {string} output of `ldd`
 * @returns {Requirement[]}
 */
export const findMissingLibraries = (output) => {
  const libraries = [...output.matchAll(/^\s*(\S+) => not found/gm)].map((match) => match[1] ?? '');
  const requirements = libraries.map((what) => {
    return { what, debian: libraryPackages.find(([pattern]) => pattern.test(what))?.[1] ?? null };
  });
  return [
    ...new Map(
      requirements.map((requirement) => [requirement.debian ?? requirement.what, requirement]),
    ).values(),
  ];
};

/**
 * Installs the shared libraries that an Electron binary lacks, or throws.
 * @param {string} executable
 * @returns {Promise<void>}
 */
export const ensureElectronLibraries = async (executable) => {
  if (process.platform !== 'linux') return;
  const { code, output } = await run('ldd', [executable]);
  // Without ldd (another C library), Electron itself will report missing libraries.
  if (code !== 0) return;
  await installRequirements(findMissingLibraries(output));
};
