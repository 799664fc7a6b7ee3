import type { ElectronApplication, Page } from '@playwright/test';
import { execFile, spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { CursorAction } from '../../../shared/cursor/cursor-action.ts';
import { expect, test } from '../desktop/desktop-test.ts';
import {
  missingCursorTool,
  openBesideEditor,
  openEditor,
  untilKeyWorks,
  watchSmallWindow,
  xdotool,
} from './open-editor.ts';
import { resolve } from 'node:path';
import { defaultGatewayOptions } from '../../../electron/gateway/gateway-options.ts';
import { openGateway } from '../../../electron/gateway/gateway.ts';
import { loadDemoSpeech } from '../../../electron/platform/files/demo-speech.ts';
import { serveGateway } from '../../../electron/platform/gateway/gateway-server.ts';
import { bufferBase64 } from '../../../electron/platform/system/base64-sha256.ts';
import { systemClock } from '../../../electron/platform/system/system-clock.ts';
import type { ChatTurnEvent } from '../../../shared/protocol/realtime-api.ts';
import { createServerCodec } from '../../../shared/protocol/server-codec.ts';
import { fakePictures } from '../../fakes/fake-pictures.ts';
import { once } from 'node:events';
import sharp from 'sharp';
import type { Lifetime } from '../../../shared/lifetime.ts';
import { serverSettings } from '../fixtures/servers.ts';

// Parley's keys while another program has the focus.

const askKey = 'ctrl+alt+space';

const correct: CursorAction = {
  id: 'correct',
  name: '',
  icon: 'correct',
  prompt: '',
  key: 'Control+Alt+KeyC',
  inPlace: true,
};

test.beforeAll(() => {
  const missing = missingCursorTool();
  test.skip(missing !== undefined, `${missing ?? ''} is not installed`);
});

test('the key opens the window each time, however soon after Escape, and loses no other key', async ({
  desktop,
}) => {
  const { small, editor } = await openBesideEditor(desktop);
  await xdotool('key', askKey);
  await expect.poll(small.isFocused, { intervals: [5] }).toBe(true);
  await xdotool('type', '--delay', '0', 'hello');
  await expect((await small.page()).getByRole('textbox')).toHaveValue('hello');
  const id = await xdotool('getactivewindow');
  const args = ['-id', id, '_NET_WM_STATE', '_NET_WM_WINDOW_TYPE'];
  const { stdout } = await promisify(execFile)('xprop', args);
  // On Linux, Electron's `skipTaskbar` does not set SKIP_TASKBAR. Task bars such as tint2's also leave out tool bars.
  expect(stdout).toMatch(/_NET_WM_STATE_SKIP_TASKBAR|_NET_WM_WINDOW_TYPE_TOOLBAR/);
  await xdotool('key', 'Escape');
  await expect.poll(editor.hasFocus).toBe(true);
  for (const restMs of [400, 100, 0, 400, 100, 0, 0]) {
    const before = await small.timesShown();
    await xdotool('key', askKey);
    await expect.poll(small.isFocused, { intervals: [20] }).toBe(true);
    expect(await small.timesShown()).toBe(before + 1);
    // Electron reports the focus before the window manager has moved it.
    await expect.poll(editor.hasFocus, { intervals: [20] }).toBe(false);
    await xdotool('key', 'Escape');
    await expect.poll(small.isVisible, { intervals: [20] }).toBe(false);
    await expect.poll(editor.hasFocus, { intervals: [20] }).toBe(true);
    await wait(restMs);
  }
});

test('an action’s own key replaces the selection without a question', async ({ desktop }) => {
  const opened = await openBesideEditor(desktop, { actions: [correct] });
  const { main, small, editor, text } = opened;
  await untilKeyWorks(main, 'action-correct');
  await xdotool('key', 'ctrl+a');
  const before = await small.timesShown();
  await xdotool('key', 'ctrl+alt+c');
  await expect.poll(editor.saved).not.toBe(text);
  expect(await editor.hasFocus()).toBe(true);
  await expect.poll(small.isVisible).toBe(false);
  // An answer that comes at once is inserted before the window shows.
  expect(await small.timesShown()).toBeLessThanOrEqual(before + 1);
  expect((await editor.saved()).trim()).not.toBe('');
});

test('Parley quits with its main window, although the small window is kept hidden', async ({
  desktop,
}) => {
  const { electron, page } = await desktop.start({
    settings: { cursor: { enabled: true }, desktop: { closing: 'quit' } },
  });
  const small = await watchSmallWindow(electron);
  const editor = await openEditor(desktop.lifetime, desktop.home, 'A lighthouse stands here.');
  await untilKeyWorks(page, 'ask');
  await xdotool('key', askKey);
  await expect.poll(small.isFocused).toBe(true);
  await xdotool('key', 'Escape');
  await expect.poll(editor.hasFocus).toBe(true);
  const closed = electron.waitForEvent('close');
  await electron.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()
      .find((window) => window.isVisible())
      ?.close();
  });
  await closed;
});

// A part of the screen, chosen with the real pointer, reaches the server with the right pixels.

const ink = { red: 16, green: 96, blue: 192 } as const;

test('a part of the screen is chosen by dragging, and reaches the server', async ({ desktop }) => {
  const { lifetime } = desktop;
  await desktop.tray.appear();
  const gateway = await serveGatewayThatSees(lifetime);
  const { electron, page: main } = await desktop.start({
    flags: ['--hidden'],
    settings: { ...serverSettings(gateway.url), cursor: { enabled: true } },
  });
  const small = await watchSmallWindow(electron);
  const area = await openColouredWindow(lifetime);
  await untilKeyWorks(main, 'ask');
  await xdotool('key', 'ctrl+alt+space');
  const page = await small.page();
  await expect.poll(small.isFocused).toBe(true);
  const part = page.getByRole('button', { name: 'Show a part of it' });

  await test.step('Escape takes nothing, and the small window comes back', async () => {
    await part.click();
    await openRegion(electron);
    expect(await small.isVisible()).toBe(false);
    await xdotool('key', 'Escape');
    await expect.poll(small.isFocused).toBe(true);
    await expect(part).toBeVisible();
  });

  await test.step('a drag takes the part, without the small window in it', async () => {
    await part.click();
    const region = await openRegion(electron);
    const size = await region.evaluate(() => [
      innerWidth,
      innerHeight,
      screen.width,
      screen.height,
    ]);
    expect(size.slice(0, 2)).toEqual(size.slice(2));
    expect(await region.evaluate(() => 'process' in window || 'require' in window)).toBe(false);
    const preferences = await electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map(({ webContents }): unknown => {
        // Electron does not document `getLastWebPreferences`, so its types lack the method.
        const read = Reflect.get(webContents, 'getLastWebPreferences') as () => unknown;
        return read.call(webContents);
      }),
    );
    const isolated = { sandbox: true, contextIsolation: true, nodeIntegration: false };
    for (const each of preferences) expect(each).toMatchObject(isolated);
    await drag(area.x + 20, area.y + 20, 200, 100);
    await expect.poll(small.isFocused).toBe(true);
    await expect(page.getByRole('button', { name: 'Part of the screen' })).toBeVisible();
    await xdotool('type', 'What colour is it?');
    await xdotool('key', 'Return');
    await expect.poll(() => gateway.seen.length).toBe(1);
    const picture = sharp(gateway.seen[0]);
    const { width, height } = await picture.metadata();
    expect([width, height]).toEqual([200, 100]);
    const { channels } = await picture.stats();
    for (const [index, value] of Object.values(ink).entries()) {
      const { min, max } = channels[index] ?? { min: -1, max: 256 };
      expect(Math.max(value - min, max - value)).toBeLessThan(8);
    }
  });
});

async function openRegion(electron: ElectronApplication): Promise<Page> {
  const isShown = (): Promise<boolean> =>
    electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().some(
        (window) => window.webContents.getURL().includes('window=region') && window.isFocused(),
      ),
    );
  await expect.poll(isShown).toBe(true);
  const found = electron.windows().find((page) => page.url().includes('window=region'));
  if (found === undefined) throw new Error('The region has no page.');
  return found;
}

/** A window of one colour in the middle of the screen, under the small window. */
async function openColouredWindow(lifetime: Lifetime) {
  const colour = `rgb:${Object.values(ink)
    .map((value) => value.toString(16))
    .join('/')}`;
  const look = ['-bg', colour, '-fg', colour, '-cr', colour, '-b', '0'];
  const child = spawn(
    'xterm',
    [...look, '-geometry', '80x30', '-T', 'paint', '-e', 'sleep', '1000'],
    {
      stdio: 'ignore',
    },
  );
  lifetime.add(async () => {
    const exit = once(child, 'exit');
    if (child.kill()) await exit;
  });
  let id = '';
  const find = async (): Promise<string> => {
    // xdotool fails on a window that closes meanwhile.
    id = await xdotool('search', '--onlyvisible', '--name', '^paint$').catch(() => '');
    return id;
  };
  await expect.poll(find).not.toBe('');
  await xdotool('windowmove', '--sync', id, '420', '200');
  const shell = await xdotool('getwindowgeometry', '--shell', id);
  const place = (name: string): number =>
    Number(new RegExp(`^${name}=(\\d+)$`, 'm').exec(shell)?.[1]);
  return { x: place('X'), y: place('Y') };
}

async function drag(x: number, y: number, width: number, height: number): Promise<void> {
  await xdotool('mousemove', '--sync', String(x), String(y));
  await xdotool('mousedown', '1');
  await xdotool('mousemove', '--sync', String(x + width / 2), String(y + height / 2));
  await wait(50);
  await xdotool('mousemove', '--sync', String(x + width), String(y + height));
  await xdotool('mouseup', '1');
}

/** Serves the embedded gateway in the test's process, and records the pictures of chat questions. */
async function serveGatewayThatSees(lifetime: Lifetime) {
  const speech = await loadDemoSpeech(resolve(import.meta.dirname, '../../../resources/speech'));
  if (!speech.ok) throw new Error(speech.error.code);
  const seen: Uint8Array[] = [];
  const codec = createServerCodec(bufferBase64);
  const gateway = openGateway(defaultGatewayOptions, {
    clock: systemClock,
    random: Math.random,
    pictures: fakePictures(),
    speech: speech.value,
    codec: {
      ...codec,
      decodeClientEvent: (text, dialect, reading) => {
        const event = codec.decodeClientEvent(text, dialect, reading);
        if (event.kind === 'chat') seen.push(...picturesIn(event));
        return event;
      },
    },
  });
  const log = { write: () => undefined };
  const served = await serveGateway(gateway, { port: 0, log });
  if (!served.ok) throw new Error(served.error.code);
  lifetime.add(() => served.value.end());
  return { url: served.value.url, seen };
}

function picturesIn({ messages }: ChatTurnEvent): readonly Uint8Array[] {
  const parts = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  return parts.flatMap((part) => (part.type === 'image' ? [part.image] : []));
}
