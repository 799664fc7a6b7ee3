import { appError, describeError, errorCode } from '../../../../shared/errors/app-error.ts';
import { SerialQueue } from '../../../../shared/lifetime.ts';
import type { DesktopSettings } from '../../../../shared/settings/app-settings.ts';
import type { LinkRegistration } from '../../../app/parley-links.ts';
import type { DesktopCore } from '../desktop-core.ts';
import { execFile } from 'node:child_process';
import { access, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { app } from 'electron';
import { hiddenFlag } from '../start-arguments.ts';

type RegistrationState = 'on' | 'off';

/** A registration of Parley with the system, such as autostart. */
export interface SystemRegistration extends Pick<LinkRegistration, 'location' | 'readState'> {
  readonly put: (on: boolean) => Promise<void>;
}

/** Error code for each setting. */
const failureCodes = {
  autostart: 'autostartFailed',
  links: 'linksFailed',
} as const satisfies Partial<Record<keyof DesktopSettings, string>>;

export type RegistrationCore = Pick<DesktopCore, 'notices' | 'lifetime' | 'log'> & {
  readonly settings: Pick<DesktopCore['settings'], 'get' | 'change' | 'listen'>;
};

/**
 * Keeps the system's registration equal to the setting. If the user has removed the registration with the system's
 * tools, the next start switches the setting off.
 */
function syncRegistration(
  { settings, notices, lifetime, log }: RegistrationCore,
  setting: keyof typeof failureCodes,
  registration: SystemRegistration,
): LinkRegistration {
  const queue = new SerialQueue();
  /** True while the setting changes because the registration did. */
  let isFollowing = false;
  /** Switches the setting off without changing the registration. */
  const switchOff = (): void => {
    isFollowing = true;
    settings.change({ desktop: { [setting]: false } });
    isFollowing = false;
  };
  const write = async (on: boolean): Promise<void> => {
    try {
      await registration.put(on);
    } catch (error) {
      log.write(
        'warn',
        `the registration of ${setting} could not be written: ${describeError(error)}`,
      );
      notices.post(
        'settingsProblem',
        appError(failureCodes[setting], { path: registration.location }),
      );
      if (on) switchOff();
    }
  };
  const begin = async (): Promise<void> => {
    // Writes again, because the program may have moved.
    if ((await registration.readState()) === 'on') await write(true);
    else switchOff();
  };
  if (settings.get().desktop[setting]) void queue.run(begin);
  lifetime.add(
    settings.listen((event) => {
      if (event.kind !== 'changed' || isFollowing) return;
      const isOn = event.settings.desktop[setting];
      if (isOn !== event.before.desktop[setting]) void queue.run(() => write(isOn));
    }),
  );
  return {
    location: registration.location,
    readState: registration.readState,
    write: (on) => queue.run(() => write(on)),
    settled: () => queue.settled(),
  };
}

/** A desktop entry that runs `exec`, by freedesktop's specification. */
function desktopEntry(exec: string, extraLines: readonly string[]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Version=1.0',
    'Name=Parley',
    `Exec=${exec}`,
    'Terminal=false',
    ...extraLines,
    '',
  ].join('\n');
}

/**
 * Quotes a word for `Exec`. A backslash escapes shell characters, and is doubled because the entry is itself
 * escaped. A percent sign would be a placeholder.
 */
function quoteExecWord(word: string): string {
  const escaped = word
    .replaceAll(/["`$\\]/gu, String.raw`\$&`)
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')
    .replaceAll('\n', String.raw`\n`);
  return `"${escaped}"`;
}

/** A desktop entry that starts this command. */
export function autostartEntry(command: readonly string[]): string {
  return desktopEntry(command.map(quoteExecWord).join(' '), ['X-GNOME-Autostart-enabled=true']);
}

/** Whether an entry is enabled. Desktops disable one by editing it. */
export function readAutostartEntry(text: string): RegistrationState {
  const off = /^(?:Hidden\s*=\s*true|X-GNOME-Autostart-enabled\s*=\s*false)\s*$/mu;
  return off.test(text) ? 'off' : 'on';
}

/** The section of `mimeapps.list` that names the default programs for each type. */
const section = '[Default Applications]';

/** The entries that open the type, the preferred one first. Empty if none was chosen. */
export function defaultsFor(text: string, type: string): readonly string[] {
  const line = parseDefaultLines(text).find(({ key }) => key === type);
  return line === undefined ? [] : line.entries;
}

/** Makes the entry the first choice for the type. */
export function withDefault(text: string, type: string, entry: string): string {
  const others = defaultsFor(text, type).filter((other) => other !== entry);
  const line = `${type}=${[entry, ...others].join(';')};`;
  const found = parseDefaultLines(text).find(({ key }) => key === type);
  const lines = text.split('\n');
  if (found !== undefined) {
    lines[found.index] = line;
    return lines.join('\n');
  }
  const sectionIndex = lines.findIndex((other) => other.trim() === section);
  if (sectionIndex !== -1) {
    lines.splice(sectionIndex + 1, 0, line);
    return lines.join('\n');
  }
  const before = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return `${before}${section}\n${line}\n`;
}

/** Removes the entry, so that the next choice applies again. */
export function withoutDefault(text: string, type: string, entry: string): string {
  const found = parseDefaultLines(text).find(({ key }) => key === type);
  if (found === undefined || !found.entries.includes(entry)) return text;
  const remaining = found.entries.filter((other) => other !== entry);
  const lines = text.split('\n');
  lines.splice(
    found.index,
    1,
    ...(remaining.length === 0 ? [] : [`${type}=${remaining.join(';')};`]),
  );
  return lines.join('\n');
}

interface DefaultLine {
  readonly index: number;
  readonly key: string;
  readonly entries: readonly string[];
}

function parseDefaultLines(text: string): readonly DefaultLine[] {
  let isInSection = false;
  return text.split('\n').flatMap((line, index) => {
    if (line.startsWith('[')) isInSection = line.trim() === section;
    const equals = line.indexOf('=');
    if (!isInSection || equals === -1 || line.startsWith('#')) return [];
    const names = line.slice(equals + 1).split(';');
    const entries = names.map((name) => name.trim()).filter((name) => name !== '');
    return [{ index, key: line.slice(0, equals).trim(), entries }];
  });
}

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

const configFolder = (): string => xdgFolder('XDG_CONFIG_HOME', '.config');

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
