import { isAbsolute } from 'node:path';
import { type BrowserWindow, ipcMain, type IpcMainInvokeEvent } from 'electron';
import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { describeError } from '../../../shared/harmless-text.ts';
import { channels } from '../../../shared/ipc/bridge.ts';
import { OpenPage, type Page } from '../../../shared/ipc/page.ts';
import type { Lifetime } from '../../../shared/lifetime.ts';
import { NoticeBatches, PageNotices } from './notice-batches.ts';
import type { IpcCore } from './request-dispatcher.ts';
import { originOf, watchPersonAt } from './request-sender.ts';

interface ServedCore extends IpcCore {
  readonly openTapeAt: (path: string) => Promise<Outcome<undefined>>;
  readonly lifetime: Lifetime;
}

interface Joined {
  readonly window: BrowserWindow;
  readonly page: () => Page;
  readonly pageGone: () => void;
  readonly notices: PageNotices;
}

/** What answers pages, from before the core is there: who asks then waits for it. */
export interface DesktopIpc {
  readonly join: (window: BrowserWindow) => void;
  /** What the page in that window has begun ends, as if it were gone: it does not answer. */
  readonly drop: (window: BrowserWindow) => void;
  /** What the core posts goes to every page, until it ends. */
  readonly serve: (parley: ServedCore) => void;
}

/** Only the main frame of our own page is answered, and only in a window that has been joined. */
export function openIpc(core: () => Promise<ServedCore>, pageOrigin: string): DesktopIpc {
  const joined = new Set<Joined>();

  const whenOurs = async (
    event: IpcMainInvokeEvent,
    work: (parley: ServedCore, page: Page) => Promise<unknown>,
  ): Promise<unknown> => {
    const asking = [...joined].find(({ window }) => isItsPage(event, window, pageOrigin));
    const page = asking?.page();
    // Electron would write a stack into the terminal; why the core is not there is said by the host.
    const parley = await core().catch(describeError);
    if (typeof parley === 'string') {
      return failure('coreUnloaded', {}, { detail: parley });
    }
    if (page === undefined) {
      parley.log.write('warn', 'refused a request from a frame that is not our page');
      return failure('notOurPage');
    }
    return work(parley, page);
  };

  ipcMain.handle(channels.request, (event, name: unknown, input: unknown) =>
    whenOurs(event, (parley, page) => parley.answer(name, input, page)),
  );
  // From the preload, which has it from the system: whoever drops something has pointed at it.
  ipcMain.handle(channels.dropped, (event, path: unknown) =>
    whenOurs(event, async (parley) =>
      typeof path === 'string' && isAbsolute(path)
        ? parley.openTapeAt(path)
        : failure('replayPathless'),
    ),
  );

  const serve = ({ lifetime, notices }: ServedCore): void => {
    lifetime.add(() => {
      ipcMain.removeHandler(channels.request);
      ipcMain.removeHandler(channels.dropped);
    });
    const batches = new NoticeBatches((batch) => {
      for (const { window, notices: page } of joined) if (!window.isDestroyed()) page.tell(batch);
    });
    lifetime.add(() => batches.end());
    lifetime.add(
      notices.listen((notice, revision, changes) => batches.add({ notice, revision, changes })),
    );
  };
  const join = (window: BrowserWindow): void => {
    const usedJustNow = watchPersonAt(window.webContents, () => performance.now());
    let page = new OpenPage(usedJustNow);
    const notices = new PageNotices({
      isSeen: () => window.isVisible() && !window.isMinimized(),
      send: (batch) => {
        // A window that came to show another page tells it nothing.
        if (originOf(window.webContents.getURL()) === pageOrigin)
          window.webContents.send(channels.notice, batch);
      },
    });
    window.on('show', notices.flush);
    window.on('restore', notices.flush);
    const pageGone = (): void => {
      notices.forget();
      const before = page;
      page = new OpenPage(usedJustNow);
      before.gone();
    };
    const one: Joined = { window, page: () => page, pageGone, notices };
    joined.add(one);
    // Loaded anew, crashed, or closed: who is there afterwards has asked for nothing yet.
    window.webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
      if (isMainFrame && !isSameDocument) pageGone();
    });
    window.webContents.on('render-process-gone', pageGone);
    window.on('closed', () => {
      joined.delete(one);
      pageGone();
    });
  };
  const drop = (window: BrowserWindow): void => {
    for (const one of joined) if (one.window === window) one.pageGone();
  };
  return { join, drop, serve };
}

/** Not a frame within it, nor what another site has put in its place. */
function isItsPage(event: IpcMainInvokeEvent, window: BrowserWindow, pageOrigin: string): boolean {
  return (
    !window.isDestroyed() &&
    event.senderFrame !== null &&
    event.senderFrame === window.webContents.mainFrame &&
    originOf(event.senderFrame.url) === pageOrigin
  );
}
