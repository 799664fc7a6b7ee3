import { extname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  app,
  BrowserWindow,
  dialog,
  type MessageBoxOptions,
  type OpenDialogOptions,
} from 'electron';
import { stripControlCharacters } from '../../../shared/text.ts';
import { type CoreMessages, fillMessage } from '../../../shared/i18n/messages.ts';
import type { Confirmation } from '../../../shared/ports/desktop.ts';
import type { OpenMethod, SaveMethod } from '../../../shared/ports/files.ts';
import type { Settings } from '../../../shared/settings/settings.ts';
import { processOutput } from '../../app/process-output.ts';
import { desktopMessages } from './desktop-messages.ts';
import type { StartRefusal } from './start-arguments.ts';

/** Asks in a system dialog, where no page can press the button. */
export const confirmInDialog: Confirmation = {
  newServer: askInDialog('newServer'),
  newCertificate: askInDialog('newCertificate'),
  noFingerprint: askInDialog('noFingerprint'),
  newProxy: askInDialog('newProxy'),
  newToolServer: askInDialog('newToolServer'),
  newToolServers: askInDialog('newToolServers'),
};

function askInDialog(subject: keyof Confirmation): Confirmation['newServer'] {
  return async (server, language) => {
    const desktop = await desktopMessages(language);
    const words = desktop[subject];
    const options: MessageBoxOptions = {
      type: 'question',
      title: 'Parley',
      message: fillMessage(words.question, { server }),
      detail: words.detail,
      buttons: [words.use, desktop.cancel],
      // Enter means no.
      defaultId: 1,
      cancelId: 1,
      noLink: true,
    };
    const window = BrowserWindow.getFocusedWindow();
    const { response } = await (window === null
      ? dialog.showMessageBox(options)
      : dialog.showMessageBox(window, options));
    return response === 0;
  };
}

/** The system's dialog, which confirms before overwriting. */
export const saveInDialog: SaveMethod = {
  kind: 'dialog',
  choose: async (name) => {
    const extension = extname(name).slice(1);
    const options = {
      defaultPath: join(lastFolder ?? app.getPath('documents'), name),
      filters: [{ name: extension.toUpperCase(), extensions: [extension] }],
      properties: ['createDirectory' as const, 'showOverwriteConfirmation' as const],
    };
    const parent = BrowserWindow.getFocusedWindow();
    const { canceled, filePath } = await (parent === null
      ? dialog.showSaveDialog(options)
      : dialog.showSaveDialog(parent, options));
    if (canceled || filePath === '') return undefined;
    lastFolder = join(filePath, '..');
    return filePath;
  },
  chooseFolder: async () => {
    const folder = await chooseExisting(lastFolder ?? app.getPath('documents'), [
      'openDirectory',
      'createDirectory',
    ]);
    lastFolder = folder ?? lastFolder;
    return folder;
  },
};

/** Opens in the home folder, because programs and models are not among the user's documents. */
export const openInDialog: OpenMethod = {
  chooseFile: () => chooseExisting(app.getPath('home'), ['openFile', 'showHiddenFiles']),
  chooseFolder: () => chooseExisting(app.getPath('home'), ['openDirectory', 'showHiddenFiles']),
};

async function chooseExisting(
  defaultPath: string,
  properties: OpenDialogOptions['properties'] & {},
): Promise<string | undefined> {
  const options = { defaultPath, properties };
  const parent = BrowserWindow.getFocusedWindow();
  const { canceled, filePaths } = await (parent === null
    ? dialog.showOpenDialog(options)
    : dialog.showOpenDialog(parent, options));
  return canceled ? undefined : filePaths[0];
}

/** The folder that the user saved to last, where the next save dialog opens. */
let lastFolder: string | undefined;

/** Parley stops waiting for the dialog after this, in case no user is there. */
const errorDialogMs = 60_000;

/** Shows why Parley ends, in the terminal and in a dialog for users who started it from an icon. */
export async function showFatalError(sentence: string): Promise<void> {
  processOutput.err(`${stripControlCharacters(sentence)}\n`);
  if (process.stderr.isTTY || !app.isReady()) return;
  const closed = new AbortController();
  // If no dialog can be shown, the terminal still has the message.
  const box = dialog
    .showMessageBox({ type: 'error', title: 'Parley', message: sentence })
    .catch(() => undefined);
  const timeout = delay(errorDialogMs, undefined, { signal: closed.signal }).catch(() => undefined);
  await Promise.race([box, timeout]);
  closed.abort();
}

/** Shows why Parley does not open. Returns the exit code of a failed start. */
export async function showStartRefusal(refusal: StartRefusal): Promise<number> {
  await app.whenReady();
  await showFatalError(refusalSentence(refusal, await desktopMessages('system')));
  return 1;
}

function refusalSentence(refusal: StartRefusal, desktop: CoreMessages['desktop']): string {
  if (refusal.kind === 'config') {
    return fillMessage(desktop.configUnwritable, { folder: refusal.folder });
  }
  return refusal.refused === 'root' ? desktop.sandboxNotForRoot : desktop.sandboxRefused;
}

/** Shows in a system dialog that the window's page keeps breaking, and offers to try again or quit. */
export async function showBrokenPage(
  language: Settings['appearance']['language'],
  onRetry: () => void,
): Promise<void> {
  const desktop = await desktopMessages(language);
  const { response } = await dialog.showMessageBox({
    type: 'error',
    title: 'Parley',
    message: desktop.pageBroken,
    detail: desktop.pageBrokenMore,
    buttons: [desktop.tryAgain, desktop.quit],
    defaultId: 0,
    cancelId: 0,
  });
  if (response === 0) onRetry();
  else app.quit();
}
