import { execFile } from 'node:child_process';
import { access, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { app } from 'electron';
import type { Parley } from '../../../core/compose-parley.ts';
import { desktopEntry, quotedWord } from './desktop-entry.ts';
import { keepListed } from './keep-listed.ts';
import type { ListedCore, SystemList } from './keep-listed.ts';
import { defaultsFor, withDefault, withoutDefault } from './mime-associations.ts';
import { configFolder, dataHome, replaceFile, thisProgram } from './user-files.ts';

const scheme = 'parley';
const type = `x-scheme-handler/${scheme}`;
/** Not the name that a package's own entry has: each stands without the other. */
const entryName = 'parley-links.desktop';

/** Opening links that begin with `parley://`, for whoever asks for it. */
export function openLinkHandler(parley: ListedCore & Pick<Parley, 'linkSwitch'>): void {
  const list = process.platform === 'linux' ? linkEntry() : protocolClient();
  parley.linkSwitch.serve(keepListed(parley, 'links', list), parley.lifetime);
}

function linkEntry(): SystemList {
  const folder = join(dataHome(), 'applications');
  const place = join(folder, entryName);
  const choices = join(configFolder(), 'mimeapps.list');
  const read = () => readFile(choices, 'utf8').catch(ifMissing);
  const change = async (become: (text: string) => string): Promise<void> => {
    const text = await read();
    const next = become(text);
    if (next !== text) await replaceFile(choices, next);
    await tellDesktop(folder);
  };
  return {
    place,
    find: async () => {
      const isThere = await access(place).then(
        () => true,
        () => false,
      );
      const [chosen = entryName] = defaultsFor(await read().catch(() => ''), type);
      return isThere && chosen === entryName ? 'on' : 'off';
    },
    put: async () => {
      await replaceFile(place, linkEntryText(thisProgram()));
      await change((text) => withDefault(text, type, entryName));
    },
    remove: async () => {
      await rm(place, { force: true });
      await change((text) => withoutDefault(text, type, entryName));
    },
  };
}

/** An entry that gives the link to these words, and is in no menu. */
export function linkEntryText(command: readonly string[]): string {
  return desktopEntry(`${command.map(word).join(' ')} %u`, [
    'NoDisplay=true',
    'StartupNotify=false',
    `MimeType=${type};`,
  ]);
}

/** `xdg-open` understands no quotes where no desktop helps it, so there are none where none are needed. */
const word = (text: string): string => (/^[\w./:@+-]+$/u.test(text) ? text : quotedWord(text));

const ifMissing = (error: unknown): string => {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
  throw error;
};

/** Some desktops look into a summary of all entries; where there is no such tool they do without. */
const tellDesktop = (folder: string): Promise<void> =>
  new Promise((resolve) => {
    execFile('update-desktop-database', [folder], { timeout: 5000 }, () => {
      resolve();
    });
  });

const done = (well: boolean): Promise<void> =>
  well ? Promise.resolve() : Promise.reject(new Error('the system refused'));

/** macOS and Windows are asked by Electron. */
function protocolClient(): SystemList {
  const [path = process.execPath, ...args] = thisProgram();
  const given: [string, string, string[]] = [scheme, path, args];
  return {
    place: `${scheme}://`,
    find: () => Promise.resolve(app.isDefaultProtocolClient(...given) ? 'on' : 'off'),
    put: () => done(app.setAsDefaultProtocolClient(...given)),
    remove: () => done(app.removeAsDefaultProtocolClient(...given)),
  };
}
