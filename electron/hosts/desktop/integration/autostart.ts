import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { app } from 'electron';
import { appError } from '../../../../shared/errors/app-error.ts';
import type { Parley } from '../../../core/compose-parley.ts';
import { describeError } from '../../../../shared/describe-error.ts';
import { SerialQueue } from '../../../../shared/serial-queue.ts';
import { autostartEntry, readAutostartEntry } from './autostart-entry.ts';
import type { AutostartFound } from './autostart-entry.ts';
import { hiddenFlag } from './command-line.ts';

/** Where the system has its list of what starts with a session, fitted to one form. */
interface AutostartList {
  readonly place: string;
  readonly find: () => Promise<AutostartFound>;
  readonly put: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

type Core = Pick<Parley, 'notices' | 'lifetime' | 'log'> & {
  readonly settings: Pick<Parley['settings'], 'get' | 'change' | 'listen'>;
};

/**
 * Sees to it that the system's list says what the setting says. Who has taken Parley off that list by the
 * system's own means has the last word: then the setting follows.
 */
export function openAutostart(parley: Core, list: AutostartList = systemList()): void {
  const { settings, notices, lifetime, log } = parley;
  const turns = new SerialQueue();
  let following = false;
  /** The setting follows the list, which stays as it is. */
  const off = (): void => {
    following = true;
    settings.change({ desktop: { autostart: false } });
    following = false;
  };
  const write = async (on: boolean): Promise<void> => {
    try {
      await (on ? list.put() : list.remove());
    } catch (error) {
      log.write('warn', `autostart: ${describeError(error)}`);
      notices.post('settingsProblem', appError('autostartFailed', { path: list.place }));
      if (on) off();
    }
  };
  const begin = async (): Promise<void> => {
    // The program may have moved since.
    if ((await list.find()) === 'on') await write(true);
    else off();
  };
  if (settings.get().desktop.autostart) void turns.run(begin);
  lifetime.add(
    settings.listen((event) => {
      if (event.kind !== 'changed' || following) return;
      const { autostart } = event.settings.desktop;
      if (autostart !== event.before.desktop.autostart) void turns.run(() => write(autostart));
    }),
  );
}

function systemList(): AutostartList {
  return process.platform === 'linux' ? desktopEntry() : loginItem();
}

/** What starts this very program again. An AppImage runs from a place that is gone when it ends. */
function command(): readonly string[] {
  const program = process.env['APPIMAGE'] ?? process.execPath;
  return [program, ...(app.isPackaged ? [] : [app.getAppPath()]), hiddenFlag];
}

function desktopEntry(): AutostartList {
  const config = process.env['XDG_CONFIG_HOME'] ?? '';
  const folder = join(config === '' ? join(homedir(), '.config') : config, 'autostart');
  const place = join(folder, 'parley.desktop');
  return {
    place,
    find: async () => readAutostartEntry(await readFile(place, 'utf8').catch(() => undefined)),
    put: async () => {
      await mkdir(dirname(place), { recursive: true });
      // Whole under another name first: a session may begin at any moment.
      const draft = `${place}.draft`;
      await writeFile(draft, autostartEntry(command()));
      await rename(draft, place);
    },
    remove: () => rm(place, { force: true }),
  };
}

function loginItem(): AutostartList {
  const [path = process.execPath, ...args] = command();
  const of = process.platform === 'win32' ? { path, args } : {};
  const set = (openAtLogin: boolean): Promise<void> => {
    app.setLoginItemSettings({ ...of, openAtLogin });
    return Promise.resolve();
  };
  return {
    place: 'login items',
    find: () => Promise.resolve(app.getLoginItemSettings(of).openAtLogin ? 'on' : 'off'),
    put: () => set(true),
    remove: () => set(false),
  };
}
