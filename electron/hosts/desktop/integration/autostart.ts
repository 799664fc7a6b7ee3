import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { app } from 'electron';
import { autostartEntry, readAutostartEntry } from './autostart-entry.ts';
import { hiddenFlag } from './command-line.ts';
import { keepListed } from './keep-listed.ts';
import type { ListedCore, SystemList } from './keep-listed.ts';
import { configFolder, replaceFile, thisProgram } from './user-files.ts';

/** Starting with the person's session. */
export function openAutostart(parley: ListedCore): void {
  keepListed(parley, 'autostart', process.platform === 'linux' ? sessionEntry() : loginItem());
}

const command = (): readonly string[] => [...thisProgram(), hiddenFlag];

function sessionEntry(): SystemList {
  const place = join(configFolder(), 'autostart', 'parley.desktop');
  return {
    place,
    find: async () => {
      const found = readAutostartEntry(await readFile(place, 'utf8').catch(() => undefined));
      return found === 'on' ? 'on' : 'off';
    },
    // Whole under another name first: a session may begin at any moment.
    put: () => replaceFile(place, autostartEntry(command())),
    remove: () => rm(place, { force: true }),
  };
}

function loginItem(): SystemList {
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
