import { ipcMain } from 'electron';
import type { BrowserWindow, IpcMainInvokeEvent } from 'electron';
import { channels } from '../../../shared/ipc/exposed.ts';
import { failure } from '../../../shared/ipc/reply.ts';
import type { Parley } from '../../compose.ts';
import { OpenPage } from '../../ipc/open-page.ts';
import { originOf } from './deny-by-default.ts';

/** Joins the window's page to the core. Only the main frame of our own page is answered. */
export function joinIpc(parley: Parley, window: BrowserWindow, pageOrigin: string): void {
  let page = new OpenPage();
  const pageGone = (): void => {
    page.gone();
    page = new OpenPage();
  };
  // Loaded anew, crashed, or closed: who is there afterwards has asked for nothing yet.
  window.webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (isMainFrame && !isSameDocument) pageGone();
  });
  window.webContents.on('render-process-gone', pageGone);
  window.on('closed', pageGone);

  ipcMain.handle(channels.request, (event, name: unknown, input: unknown) => {
    if (!isOurPage(event, window, pageOrigin)) {
      parley.log.write('warn', 'refused a request from a frame that is not our page');
      return failure('refused', 'Parley answers only its own window.');
    }
    return parley.answer(name, input, page);
  });
  parley.lifetime.add(() => {
    ipcMain.removeHandler(channels.request);
  });
  parley.lifetime.add(
    parley.notices.listen((notice) => {
      if (!window.isDestroyed()) window.webContents.send(channels.notice, notice);
    }),
  );
}

function isOurPage(event: IpcMainInvokeEvent, window: BrowserWindow, pageOrigin: string): boolean {
  return (
    !window.isDestroyed() &&
    event.senderFrame !== null &&
    event.senderFrame === window.webContents.mainFrame &&
    originOf(event.senderFrame.url) === pageOrigin
  );
}
