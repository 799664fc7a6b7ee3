import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, expectedPageHeaders } from '../fixtures/host-test.ts';
import { answerDialogs, openMini } from '../fixtures/pages/app-windows.ts';
import { openAbout } from '../fixtures/pages/settings-screen.ts';

test('the page is served with exactly the expected headers; its bridge exposes requests and notices, dropped files and the connection, and accepts only what the contract has', async ({
  page,
}) => {
  const sent = await page.evaluate(async () => Object.fromEntries((await fetch('/')).headers));
  expect(sent).toEqual({
    ...expectedPageHeaders([]),
    'content-type': 'text/html; charset=utf-8',
  });
  const exposed = await page.evaluate(() => Object.keys(window.parley ?? {}));
  expect(exposed).toEqual(['request', 'onNotice', 'openDropped', 'onConnection']);
  for (const name of ['openTheSafe', 'constructor', '__proto__', 'parley:request']) {
    const refused = page.evaluate(
      (requestName) => window.parley?.request(requestName as 'about', undefined),
      name,
    );
    expect(await refused).toMatchObject({ ok: false, error: { code: 'unknownRequest' } });
  }
  const reply = await page.evaluate(() =>
    window.parley?.request('checkLibraries', { libraries: ['../../etc/passwd' as 'libvips'] }),
  );
  expect(reply).toMatchObject({ ok: false, error: { code: 'notUnderstood' } });
});

test('a window of another page gets no answers', async ({ electron, page, running }) => {
  running.consoleWatch.allow(/Electron Security Warning/);
  await openAbout(page);
  await expect(page.getByRole('listitem').getByRole('status')).toHaveText(['Loads', 'Loads']);
  const strange = electron.waitForEvent('window');
  await electron.evaluate(async ({ app, BrowserWindow }) => {
    const preload = `${app.getAppPath()}/out/preload/preload.cjs`;
    const window = new BrowserWindow({ show: false, webPreferences: { sandbox: true, preload } });
    await window.loadURL('data:text/html,stranger');
  });
  const reply = await (await strange).evaluate(() => window.parley?.request('about', undefined));
  expect(reply).toMatchObject({ ok: false, error: { code: 'notOurPage' } });
});

const sandboxed = { witness: { sandboxed: true, isolated: true }, node: [] };

/** Which globals of Node a page sees, and `witness`, with which a preload script reports whether the page is sandboxed. */
const lookAround = () => ({
  witness: Reflect.get(window, 'witness') as unknown,
  node: ['process', 'require', 'Buffer', 'global'].filter((name) => name in window),
});

test('the pages of the main, the mini and the small window are sandboxed and isolated, and none has developer tools or spell checking', async ({
  electron,
  page,
  home,
  host,
}) => {
  const witness = join(home, 'witness.cjs');
  await writeFile(
    witness,
    `require('electron').contextBridge.exposeInMainWorld('witness', {
      sandboxed: process.sandboxed === true, isolated: process.contextIsolated === true });`,
  );
  await electron.evaluate(({ session }, filePath) => {
    session.defaultSession.setPreloads([filePath]);
  }, witness);
  // The main window was loaded before that preload script was set.
  await page.reload();
  await page.getByRole('main').waitFor();
  expect(await page.evaluate(lookAround)).toEqual(sandboxed);
  const mini = await openMini(electron, () =>
    page.evaluate(() => window.parley?.request('showMini', undefined)),
  );
  expect(await mini.evaluate(lookAround)).toEqual(sandboxed);
  const coming = electron.waitForEvent('window');
  await page.keyboard.press('Shift');
  await page.evaluate(() => window.parley?.request('openQuick', {}));
  const cursor = await coming;
  expect(cursor.url()).toContain('window=cursor');
  expect(await cursor.evaluate(lookAround)).toEqual(sandboxed);

  const held = await electron.evaluate(async ({ BrowserWindow }, shipped) => {
    const all = BrowserWindow.getAllWindows().map(({ webContents }) => webContents);
    if (shipped) {
      for (const contents of all) contents.openDevTools({ mode: 'detach' });
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    return all.map((contents) => ({
      tools: contents.isDevToolsOpened(),
      spelling: contents.session.isSpellCheckerEnabled(),
    }));
  }, host === 'packaged');
  const without = { tools: false, spelling: false };
  expect(held).toEqual([without, without, without]);
});

test('another page in our window and a frame in our page get no answers', async ({
  electron,
  page,
  running,
}) => {
  running.consoleWatch.allow(/Electron Security Warning/);
  const inFrame = await page.evaluate(async () => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    await new Promise((resolve) => setTimeout(resolve, 200));
    return Object.hasOwn(frame.contentWindow ?? {}, 'parley');
  });
  expect(inFrame).toBe(false);
  await electron.evaluate(async ({ BrowserWindow }) => {
    await BrowserWindow.getAllWindows()[0]?.loadURL('data:text/html,stranger');
  });
  // Playwright learns of the navigation later than the window does.
  await page.waitForURL('data:text/html,stranger');
  const reply = await page.evaluate(() => window.parley?.request('about', undefined));
  expect(reply).toMatchObject({ ok: false, error: { code: 'notOurPage' } });
});

test('the page may not notify, opens no window and stays where it is', async ({
  electron,
  page,
  running,
}) => {
  running.consoleWatch.allow(/example\.com|etc\/passwd/);
  // Keeps the test from opening a browser.
  await electron.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openExternal = (address) => {
      opened.push(address);
      return Promise.reject(new Error('The browser has not been started.'));
    };
  });
  const outcome = await page.evaluate(async () => {
    const notifications = await Notification.requestPermission();
    const opened = window.open('https://example.com');
    window.open('https://example.com/without-a-click');
    window.open('file:///etc/passwd');
    window.open('smb://example.com/share');
    location.href = 'https://example.com/';
    await new Promise((resolve) => setTimeout(resolve, 300));
    return { notifications, opened: opened === null, origin: location.origin };
  });
  expect(outcome).toEqual({
    notifications: 'denied',
    opened: true,
    origin: 'https://parley.localhost',
  });
  // A web page goes to the system's browser; other schemes and floods are refused.
  const handed = await electron.evaluate(() => Reflect.get(globalThis, 'opened') as string[]);
  expect(handed).toEqual(['https://example.com/']);
});

test('a system dialog asks before a page may use a new server', async ({ electron, page }) => {
  const put = () =>
    page.evaluate(() =>
      window.parley?.request('putEndpoint', {
        name: 'Elsewhere',
        kind: 'hosted',
        url: 'wss://one.example.invalid/v1/realtime',
        dialect: 'auto',
        headers: {},
        query: {},
      }),
    );
  const boxes = await answerDialogs(electron, 1);
  expect(await put()).toMatchObject({ ok: false, error: { code: 'serverNotConfirmed' } });
  expect(await boxes()).toMatchObject([
    {
      message: 'Use the server wss://one.example.invalid?',
      buttons: ['Use the server', 'Cancel'],
      defaultId: 1,
    },
  ]);
  await answerDialogs(electron, 0);
  expect(await put()).toMatchObject({ ok: true, value: { name: 'Elsewhere' } });
});
