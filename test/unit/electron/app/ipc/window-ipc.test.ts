import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NoticeBoard } from '../../../../../electron/app/ipc/request-dispatcher.ts';
import {
  limitOpenedLinks,
  openIpc,
  watchWindowUse,
} from '../../../../../electron/app/ipc/window-ipc.ts';
import { failure } from '../../../../../shared/errors/app-error.ts';
import { channels } from '../../../../../shared/ipc/bridge.ts';
import { Lifetime } from '../../../../../shared/lifetime.ts';
import { BrowserWindow, ipcMain } from '../../../../fakes/fake-electron.ts';
import { FakeLog } from '../../../../fakes/fake-log.ts';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

type Ask = (event: object, name: string) => Promise<unknown>;
type Register = ReturnType<typeof openIpc>['register'];

const origin = 'https://parley.localhost';

let lifetime: Lifetime | undefined;

beforeEach(() => {
  vi.clearAllMocks();
  BrowserWindow.all.clear();
});

afterEach(() => lifetime?.end());

/** A core that answers every accepted request, and a window that shows a page. */
function openCore(address = `${origin}/`) {
  const notices = new NoticeBoard();
  lifetime = new Lifetime('core under test');
  const log = new FakeLog();
  const answer = vi.fn(() => Promise.resolve({ ok: true as const, value: 'answered' }));
  const openTapeAt = vi.fn(() => Promise.resolve({ ok: true as const, value: undefined }));
  const core = { answer, notices, log, lifetime, openTapeAt };
  const { register, serve } = openIpc(() => Promise.resolve(core), origin);
  serve(core);
  const handlerOf = (name: string): Ask =>
    ipcMain.handle.mock.calls.find(([channel]) => channel === name)?.[1] as Ask;
  const ask = handlerOf(channels.request);
  const drop = handlerOf(channels.dropped);
  const window = new BrowserWindow({ width: 1, height: 1 });
  const mainFrame = { url: address };
  Object.assign(window.webContents, { mainFrame });
  window.loadURL(address).catch(() => undefined);
  const registerWindow = (): void => {
    register(window as unknown as Parameters<Register>[0]);
  };
  return {
    ask,
    drop,
    openTapeAt,
    answer,
    notices,
    log,
    window,
    mainFrame,
    registerWindow,
  };
}

describe('the IPC of the windows', () => {
  it('answers with an error without a stack if the core cannot be loaded', async () => {
    openIpc(() => Promise.reject(new Error('Cannot find module x\n    at there')), 'parley://page');
    const ask = ipcMain.handle.mock.calls[0]?.[1] as Ask;
    expect(await ask({ senderFrame: null }, 'about')).toEqual(
      failure('coreLoadFailed', {}, { detail: 'Cannot find module x' }),
    );
  });

  it('answers and notifies Parley’s page after its window is registered', async () => {
    const { ask, notices, mainFrame, window, registerWindow } = openCore();
    const post = (): void => notices.post('windowsShown', { main: true, mini: false });
    expect(await ask({ senderFrame: mainFrame }, 'about')).toEqual(failure('notOurPage'));
    post();
    expect(window.webContents.send).not.toHaveBeenCalled();
    registerWindow();
    expect(await ask({ senderFrame: mainFrame }, 'about')).toEqual({ ok: true, value: 'answered' });
    post();
    await vi.waitFor(() => expect(window.webContents.send).toHaveBeenCalledOnce());
  });

  it.each([
    ['a frame within our page', { senderFrame: { url: `${origin}/` } }],
    ['a frame that no longer exists', { senderFrame: null }],
  ])('refuses %s', async (_who, event) => {
    const { ask, answer, log, registerWindow } = openCore();
    registerWindow();
    expect(await ask(event, 'about')).toEqual(failure('notOurPage'));
    expect(answer).not.toHaveBeenCalled();
    expect(log.lines).toContainEqual(expect.stringContaining('refused a request'));
  });

  it.each([
    'https://example.com/',
    'http://parley.localhost/',
    'https://parley.localhost.example.com/',
    'data:text/html,stranger',
    'about:blank',
    '',
  ])('neither answers nor notifies %j in a registered window', async (address) => {
    const { ask, answer, notices, mainFrame, window, registerWindow } = openCore(address);
    registerWindow();
    expect(await ask({ senderFrame: mainFrame }, 'about')).toEqual(failure('notOurPage'));
    notices.post('windowsShown', { main: true, mini: false });
    expect(answer).not.toHaveBeenCalled();
    expect(window.webContents.send).not.toHaveBeenCalled();
  });
});

it('a file dropped on a window is opened at its absolute path, if its main frame sends it', async () => {
  const { drop, mainFrame, registerWindow, openTapeAt } = openCore();
  registerWindow();
  const event = { senderFrame: mainFrame };
  const foreign = { senderFrame: { url: `${origin}/` } };
  expect(await drop(foreign, '/tapes/one')).toEqual(failure('notOurPage'));
  for (const path of ['', 'tapes/one', '../one', undefined, 5, { path: '/tapes/one' }])
    expect(await drop(event, path as string)).toEqual(failure('notARecording'));
  expect(openTapeAt).not.toHaveBeenCalled();
  expect(await drop(event, '/tapes/one')).toMatchObject({ ok: true });
  expect(openTapeAt).toHaveBeenCalledExactlyOnceWith('/tapes/one');
});

function openContents() {
  const contents = new EventEmitter();
  let now = 60_000;
  const usedJustNow = watchWindowUse(contents, () => now);
  return {
    usedJustNow,
    mayOpen: limitOpenedLinks(contents, () => now),
    use: (type: string) => contents.emit('input-event', {}, { type }),
    wait: (ms: number) => (now += ms),
  };
}

it('a page opens one address after each click, and otherwise one in ten seconds', () => {
  const { use, wait, mayOpen } = openContents();
  expect([mayOpen(), mayOpen()]).toEqual([true, false]);
  use('mouseMove');
  expect(mayOpen()).toBe(false);
  use('mouseDown');
  expect([mayOpen(), mayOpen()]).toEqual([true, false]);
  wait(10_000);
  expect([mayOpen(), mayOpen()]).toEqual([true, false]);
});

describe('watchWindowUse', () => {
  it.each(['mouseDown', 'rawKeyDown', 'touchStart', 'gestureTap'])(
    'reports a window as used for ten seconds after %s, and not before',
    (type) => {
      const { use, wait, usedJustNow } = openContents();
      for (const other of ['mouseMove', 'mouseWheel', 'gestureScrollUpdate']) use(other);
      expect(usedJustNow()).toBe(false);
      use(type);
      wait(10_000);
      expect(usedJustNow()).toBe(true);
      wait(1);
      expect(usedJustNow()).toBe(false);
    },
  );
});
