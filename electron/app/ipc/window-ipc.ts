import { isAbsolute } from 'node:path';
import { type BrowserWindow, ipcMain, type IpcMainInvokeEvent } from 'electron';
import { failure, type Outcome, describeError } from '../../../shared/errors/app-error.ts';
import { channels } from '../../../shared/ipc/bridge.ts';
import { OpenPage, type Page } from '../../../shared/ipc/page.ts';
import type { Lifetime } from '../../../shared/lifetime.ts';
import { NoticeBatches, PageNotices } from './notice-batches.ts';
import type { IpcCore } from './request-dispatcher.ts';

interface ServedCore extends IpcCore {
  readonly openTapeAt: (path: string) => Promise<Outcome<undefined>>;
  readonly lifetime: Lifetime;
}

interface RegisteredWindow {
  readonly window: BrowserWindow;
  readonly page: () => Page;
  readonly endPage: () => void;
  readonly notices: PageNotices;
}

/** Answers pages. Requests that come before the core is loaded wait for it. */
export interface DesktopIpc {
  readonly register: (window: BrowserWindow) => void;
  /** Ends everything that the window's page has begun. For a page that no longer answers. */
  readonly resetPage: (window: BrowserWindow) => void;
  /** Sends the core's notices to every page until the core ends. */
  readonly serve: (parley: ServedCore) => void;
}

/** Answers only the main frame of Parley's page in a registered window. */
export function openIpc(core: () => Promise<ServedCore>, pageOrigin: string): DesktopIpc {
  const registered = new Set<RegisteredWindow>();

  const answerOwnPage = async (
    event: IpcMainInvokeEvent,
    work: (parley: ServedCore, page: Page) => Promise<unknown>,
  ): Promise<unknown> => {
    const sender = [...registered].find(({ window }) => isItsPage(event, window, pageOrigin));
    const page = sender?.page();
    // A rejection would print a stack in the terminal; the host reports the reason itself.
    const parley = await core().catch(describeError);
    if (typeof parley === 'string') {
      return failure('coreLoadFailed', {}, { detail: parley });
    }
    if (page === undefined) {
      parley.log.write('warn', 'refused a request from a frame that does not show Parley’s page');
      return failure('notOurPage');
    }
    return work(parley, page);
  };

  ipcMain.handle(channels.request, (event, name: unknown, input: unknown) =>
    answerOwnPage(event, (parley, page) => parley.answer(name, input, page)),
  );
  // The path comes from the preload, which has it from the system's drop event.
  ipcMain.handle(channels.dropped, (event, path: unknown) =>
    answerOwnPage(event, async (parley) =>
      typeof path === 'string' && isAbsolute(path)
        ? parley.openTapeAt(path)
        : failure('notARecording'),
    ),
  );

  const serve = ({ lifetime, notices }: ServedCore): void => {
    lifetime.add(() => {
      ipcMain.removeHandler(channels.request);
      ipcMain.removeHandler(channels.dropped);
    });
    const batches = new NoticeBatches((batch) => {
      for (const { window, notices: page } of registered)
        if (!window.isDestroyed()) page.post(batch);
    });
    lifetime.add(() => batches.end());
    lifetime.add(
      notices.listen((notice, revision, changes) => batches.add({ notice, revision, changes })),
    );
  };
  const register = (window: BrowserWindow): void => {
    const wasUsedRecently = watchWindowUse(window.webContents, () => performance.now());
    let page = new OpenPage(wasUsedRecently);
    const notices = new PageNotices({
      isVisible: () => window.isVisible() && !window.isMinimized(),
      send: (batch) => {
        // A window that navigated to another site gets no notices.
        if (urlOrigin(window.webContents.getURL()) === pageOrigin)
          window.webContents.send(channels.notice, batch);
      },
    });
    window.on('show', notices.flush);
    window.on('restore', notices.flush);
    const endPage = (): void => {
      notices.forget();
      const oldPage = page;
      page = new OpenPage(wasUsedRecently);
      oldPage.gone();
    };
    const entry: RegisteredWindow = { window, page: () => page, endPage, notices };
    registered.add(entry);
    // After a reload, a crash or a close, requests of the old page end.
    window.webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
      if (isMainFrame && !isSameDocument) endPage();
    });
    window.webContents.on('render-process-gone', endPage);
    window.on('closed', () => {
      registered.delete(entry);
      endPage();
    });
  };
  const resetPage = (window: BrowserWindow): void => {
    for (const entry of registered) if (entry.window === window) entry.endPage();
  };
  return { register, resetPage, serve };
}

/** Rejects child frames and pages of other sites. */
function isItsPage(event: IpcMainInvokeEvent, window: BrowserWindow, pageOrigin: string): boolean {
  return (
    !window.isDestroyed() &&
    event.senderFrame !== null &&
    event.senderFrame === window.webContents.mainFrame &&
    urlOrigin(event.senderFrame.url) === pageOrigin
  );
}

/** A window's input events. They come from the system, so a page cannot fake them. */
interface WindowInput {
  on(
    name: 'input-event',
    listener: (event: unknown, input: { readonly type: string }) => void,
  ): unknown;
}

/** Clicks, keys and taps, but not pointer moves or scrolling. */
const userInputTypes: ReadonlySet<string> = new Set([
  'mouseDown',
  'mouseUp',
  'rawKeyDown',
  'keyDown',
  'char',
  'touchStart',
  'gestureTap',
]);

/** Longer than a busy page takes from a click to its request. */
const recentUseMs = 10_000;

/** Returns a function that tells whether the user has used the window in the last ten seconds. */
export function watchWindowUse(contents: WindowInput, now: () => number): () => boolean {
  let last = -Infinity;
  contents.on('input-event', (_event, { type }) => {
    if (userInputTypes.has(type)) last = now();
  });
  return () => now() - last <= recentUseMs;
}

/**
 * Returns a function that tells whether a page may have the system open one more address: once after a click, key or
 * tap, and otherwise every ten seconds, because a screen reader can follow a link without any of them.
 */
export function limitOpenedLinks(contents: WindowInput, now: () => number): () => boolean {
  let wasUsed = false;
  let last = -Infinity;
  contents.on('input-event', (_event, { type }) => {
    wasUsed ||= userInputTypes.has(type);
  });
  return () => {
    if (!wasUsed && now() - last < recentUseMs) return false;
    wasUsed = false;
    last = now();
    return true;
  };
}

export function urlOrigin(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
