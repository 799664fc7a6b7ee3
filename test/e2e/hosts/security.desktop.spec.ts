import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '../fixtures/host-test.ts';
import { expectedPageHeaders } from '../fixtures/page-headers.ts';
import { openMini } from '../fixtures/pages/mini-window.ts';
import { openAbout } from '../fixtures/pages/open-about.ts';

test('exposes requests and notices, answers those of the contract, and takes no other input', async ({
  page,
}) => {
  const exposed = await page.evaluate(() => Object.keys(window.parley ?? {}));
  expect(exposed).toEqual(['request', 'onNotice', 'openDropped', 'onConnection']);
  for (const name of ['openTheSafe', 'constructor', '__proto__', 'parley:request']) {
    const refused = page.evaluate(
      (asked) => window.parley?.request(asked as 'about', undefined),
      name,
    );
    expect(await refused).toMatchObject({ ok: false, error: { code: 'unknownRequest' } });
  }
  const reply = await page.evaluate(() =>
    window.parley?.request('checkParts', { parts: ['../../etc/passwd' as 'libvips'] }),
  );
  expect(reply).toMatchObject({ ok: false, error: { code: 'notUnderstood' } });
});

test('answers no frame but its own page', async ({ electron, page, running }) => {
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

test('has its pages sandboxed and apart from the preload, without spelling, and shipped without tools', async ({
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
  const mini = await openMini(electron, () =>
    page.evaluate(() => window.parley?.request('showMini', undefined)),
  );
  const seen = await mini.evaluate(() => ({
    witness: Reflect.get(window, 'witness') as unknown,
    node: ['process', 'require', 'Buffer', 'global'].filter((name) => name in window),
  }));
  expect(seen).toEqual({ witness: { sandboxed: true, isolated: true }, node: [] });

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
  expect(held).toEqual([without, without]);
});

test('sends its page with what holds it, to the letter', async ({ page }) => {
  const sent = await page.evaluate(async () => Object.fromEntries((await fetch('/')).headers));
  expect(sent).toMatchObject(expectedPageHeaders([]));
});

test('answers nobody in its own window where that shows another page, nor a frame within its page', async ({
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
  // The runner hears of the other page a moment after its window does, and would ask the one that goes.
  await page.waitForURL('data:text/html,stranger');
  const reply = await page.evaluate(() => window.parley?.request('about', undefined));
  expect(reply).toMatchObject({ ok: false, error: { code: 'notOurPage' } });
});

test('grants no permission, opens no window and stays where it is', async ({
  electron,
  page,
  running,
}) => {
  running.consoleWatch.allow(/example\.com|etc\/passwd/);
  // Nobody's own browser opens for a test.
  await electron.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openExternal = (address) => {
      opened.push(address);
      return Promise.reject(new Error('There is no browser.'));
    };
  });
  const outcome = await page.evaluate(async () => {
    const notifications = await Notification.requestPermission();
    const opened = window.open('https://example.com');
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
  // A page is for the system's browser; what could start a program is for nobody.
  const handed = await electron.evaluate(() => Reflect.get(globalThis, 'opened') as string[]);
  expect(handed).toEqual(['https://example.com/']);
});

test('sends nothing anywhere, not even through WebRTC', async ({ page }) => {
  const stun = createSocket('udp4').bind(0, '127.0.0.1');
  await once(stun, 'listening');
  let packets = 0;
  stun.on('message', () => (packets += 1));
  await page.evaluate(async (port) => {
    const peer = new RTCPeerConnection({ iceServers: [{ urls: `stun:127.0.0.1:${port}` }] });
    peer.createDataChannel('out');
    await peer.setLocalDescription(await peer.createOffer());
    await new Promise((resolve) => setTimeout(resolve, 1500));
    peer.close();
  }, stun.address().port);
  stun.close();
  expect(packets).toBe(0);
});
