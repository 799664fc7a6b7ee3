import { execFile } from 'node:child_process';
import { access, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { app } from 'electron';
import { errorCode } from '../../../../shared/errors/app-error.ts';
import type { DesktopCore } from '../desktop-core.ts';
import { hiddenFlag } from '../start-arguments.ts';
import {
  autostartEntry,
  defaultsFor,
  desktopEntry,
  syncRegistration,
  type RegistrationCore,
  quoteExecWord,
  readAutostartEntry,
  type SystemRegistration,
  withDefault,
  withoutDefault,
} from './system-registration.ts';

/** Keeps the system's autostart entry as the setting says. With it, Parley starts when the user logs in. */
export function openAutostart(parley: RegistrationCore): void {
  syncRegistration(
    parley,
    'autostart',
    process.platform === 'linux' ? sessionEntry() : loginItem(),
  );
}

const command = (): readonly string[] => [...thisProgram(), hiddenFlag];

function sessionEntry(): SystemRegistration {
  const location = join(configFolder(), 'autostart', 'parley.desktop');
  return {
    location,
    readState: () => readFile(location, 'utf8').then(readAutostartEntry, () => 'off'),
    // Replaced atomically, because a session may begin at any moment.
    put: (on) =>
      on ? replaceFile(location, autostartEntry(command())) : rm(location, { force: true }),
  };
}

function loginItem(): SystemRegistration {
  const [path = process.execPath, ...args] = command();
  const options = process.platform === 'win32' ? { path, args } : {};
  return {
    location: 'login items',
    readState: () => Promise.resolve(app.getLoginItemSettings(options).openAtLogin ? 'on' : 'off'),
    put: (openAtLogin) => {
      app.setLoginItemSettings({ ...options, openAtLogin });
      return Promise.resolve();
    },
  };
}

const scheme = 'parley';
const type = `x-scheme-handler/${scheme}`;
/** A name that the package's entry does not have, so that both can exist. */
const entryName = 'parley-links.desktop';

/** Keeps the system's handler of `parley://` links as the setting says. */
export function openLinkHandler(
  parley: RegistrationCore & Pick<DesktopCore, 'linkRegistration'>,
): void {
  const registration = process.platform === 'linux' ? linkEntry() : protocolClient();
  parley.linkRegistration.serve(syncRegistration(parley, 'links', registration), parley.lifetime);
}

function linkEntry(): SystemRegistration {
  const folder = join(dataHome(), 'applications');
  const location = join(folder, entryName);
  const defaultsFile = join(configFolder(), 'mimeapps.list');
  const read = () => readFile(defaultsFile, 'utf8').catch(emptyIfMissing);
  return {
    location,
    readState: async () => {
      const exists = await access(location).then(
        () => true,
        () => false,
      );
      const [chosen = entryName] = defaultsFor(await read().catch(() => ''), type);
      return exists && chosen === entryName ? 'on' : 'off';
    },
    put: async (on) => {
      await (on
        ? replaceFile(location, linkEntryText(thisProgram()))
        : rm(location, { force: true }));
      const text = await read();
      const next = (on ? withDefault : withoutDefault)(text, type, entryName);
      if (next !== text) await replaceFile(defaultsFile, next);
      await updateDesktopDatabase(folder);
    },
  };
}

/** A hidden desktop entry that runs the command with the link. */
export function linkEntryText(command: readonly string[]): string {
  return desktopEntry(`${command.map(quoteIfNeeded).join(' ')} %u`, [
    'NoDisplay=true',
    'StartupNotify=false',
    `MimeType=${type};`,
  ]);
}

/** Quotes a word only if necessary, because `xdg-open` does not parse quotes where no desktop runs. */
const quoteIfNeeded = (text: string): string =>
  /^[\w./:@+-]+$/u.test(text) ? text : quoteExecWord(text);

const emptyIfMissing = (error: unknown): string => {
  if (errorCode(error) === 'ENOENT') return '';
  throw error;
};

/** Updates the cache of desktop entries, which only some desktops have. */
const updateDesktopDatabase = (folder: string): Promise<void> =>
  new Promise((resolve) => {
    execFile('update-desktop-database', [folder], { timeout: 5000 }, () => resolve());
  });

const requireSuccess = (isSuccess: boolean): Promise<void> =>
  isSuccess ? Promise.resolve() : Promise.reject(new Error('the system refused the registration'));

/** The registration on macOS and Windows, through Electron. */
function protocolClient(): SystemRegistration {
  const [path = process.execPath, ...args] = thisProgram();
  const value: [string, string, string[]] = [scheme, path, args];
  return {
    location: `${scheme}://`,
    readState: () => Promise.resolve(app.isDefaultProtocolClient(...value) ? 'on' : 'off'),
    put: (on) =>
      requireSuccess(
        on ? app.setAsDefaultProtocolClient(...value) : app.removeAsDefaultProtocolClient(...value),
      ),
  };
}

/** The command that starts this program. For an AppImage it names the file, because the mount disappears with the process. */
function thisProgram(): readonly string[] {
  const program = process.env['APPIMAGE'] ?? process.execPath;
  return [program, ...(app.isPackaged ? [] : [app.getAppPath()])];
}

/** The user's configuration folder on Linux. */
const configFolder = (): string => xdgFolder('XDG_CONFIG_HOME', '.config');

/** The user's data folder on Linux. */
const dataHome = (): string => xdgFolder('XDG_DATA_HOME', join('.local', 'share'));

function xdgFolder(variable: string, defaultFolder: string): string {
  const value = process.env[variable] ?? '';
  return value === '' ? join(homedir(), defaultFolder) : value;
}

/** Replaces a file atomically, and keeps a symbolic link a link. */
async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const target = await realpath(path).catch(() => path);
  const draft = `${target}.draft`;
  await writeFile(draft, text);
  await rename(draft, target);
}
