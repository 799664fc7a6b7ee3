import { run } from './run.mjs';
import { installRequirements } from './system-packages.mjs';

/**
 * The Debian package of each library that Electron links to; apt.mjs adds the `t64` suffix where needed.
 * @type {readonly (readonly [RegExp, string])[]}
 */
const PACKAGES = [
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
 * @returns {import('./system-packages.mjs').Requirement[]}
 */
export const findMissingLibraries = (output) => {
  const libraries = [...output.matchAll(/^\s*(\S+) => not found/gm)].map((match) => match[1] ?? '');
  const requirements = libraries.map((what) => {
    return { what, debian: PACKAGES.find(([pattern]) => pattern.test(what))?.[1] ?? null };
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
