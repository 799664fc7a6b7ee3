import { join } from 'node:path';
import { say } from './say.mjs';
import { Stop } from './stop.mjs';
import { installRequirements } from './system-packages.mjs';
import { isExecutable, which } from './run.mjs';

/** @typedef {{ executable: string } | { reason: string }} Found */

/** @returns {string[]} where installers put a Chromium that is not in PATH */
const standardChromiumPaths = () => {
  if (process.platform === 'darwin') {
    return ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
      (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
    );
  }
  if (process.platform !== 'win32') return [];
  const roots = ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA'].flatMap(
    (name) => process.env[name] ?? [],
  );
  return roots.flatMap((root) => [
    join(root, 'Google', 'Chrome', 'Application', 'chrome.exe'),
    join(root, 'Microsoft', 'Edge', 'Application', 'msedge.exe'),
  ]);
};

/** @returns {Found} the browser for the tests; PARLEY_CHROMIUM overrides it */
export const findChromium = () => {
  const chromium = process.env['PARLEY_CHROMIUM'] ?? '';
  if (chromium !== '') {
    return isExecutable(chromium)
      ? { executable: chromium }
      : { reason: `PARLEY_CHROMIUM=${chromium} is not a program: correct it or unset it` };
  }
  const found =
    which('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable') ??
    standardChromiumPaths().find(isExecutable);
  return found === undefined ? { reason: 'no Chromium is installed' } : { executable: found };
};

/** @returns {Found} */
export const findXvfb = () => {
  const found = which('Xvfb');
  return found === undefined ? { reason: 'Xvfb is not installed' } : { executable: found };
};

/** The desktop environment of the virtual screen: window manager, input tools, D-Bus, panels, programs and keyring. */
const desktopTools = [
  { program: 'openbox', debian: 'openbox' },
  { program: 'xdotool', debian: 'xdotool' },
  { program: 'xev', debian: 'x11-utils' },
  { program: 'dbus-daemon', debian: 'dbus' },
  { program: 'update-desktop-database', debian: 'desktop-file-utils' },
  { program: 'tint2', debian: 'tint2' },
  { program: 'xterm', debian: 'xterm' },
  { program: 'l3afpad', debian: 'l3afpad' },
  { program: 'gnome-keyring-daemon', debian: 'gnome-keyring' },
  { program: 'secret-tool', debian: 'libsecret-tools' },
];

/** Shells for tests of completion, and a cross compiler for Windows. */
const otherTools = [
  { program: 'zsh', debian: 'zsh' },
  { program: 'fish', debian: 'fish' },
  { program: 'x86_64-w64-mingw32-g++-posix', debian: 'g++-mingw-w64-x86-64' },
];

/**
 * Tries to install the programs that only tests need. If that fails, their tests are skipped.
 * @returns {Promise<void>}
 */
export const ensureTestTools = async () => {
  if (process.platform !== 'linux') return;
  const chromium = (process.env['PARLEY_CHROMIUM'] ?? '') !== '';
  const missing = [
    ...(chromium || 'executable' in findChromium()
      ? []
      : [{ what: 'Chromium', debian: 'chromium' }]),
    ...(which('ffmpeg') === undefined ? [{ what: 'ffmpeg', debian: 'ffmpeg' }] : []),
    ...('executable' in findXvfb() ? [] : [{ what: 'Xvfb', debian: 'xvfb' }]),
    ...[...desktopTools, ...otherTools]
      .filter(({ program }) => which(program) === undefined)
      .map(({ program, debian }) => ({ what: program, debian })),
  ];
  try {
    await installRequirements(missing);
  } catch (error) {
    if (!(error instanceof Stop) || error.code >= 128) throw error;
    say(`Some tests will be skipped. ${error.message}`);
  }
};
