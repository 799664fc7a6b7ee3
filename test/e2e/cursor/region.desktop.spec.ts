import type { ElectronApplication, Page } from '@playwright/test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { which } from '../../../scripts/lib/run.mjs';
import type { Lifetime } from '../../../shared/lifetime.ts';
import { expect, test } from '../desktop/desktop-test.ts';
import { serverSettings } from '../fixtures/servers.ts';
import { serveRecordingGateway } from '../keys/recording-gateway.ts';
import { untilKeyWorks, watchSmallWindow, xdotool } from './open-editor.ts';

// A part of the screen, chosen with the real pointer, reaches the server with the right pixels.

const ink = { red: 16, green: 96, blue: 192 } as const;

test.beforeAll(() => {
  const missing = ['xdotool', 'xterm'].find((tool) => which(tool) === undefined);
  test.skip(missing !== undefined, `${missing ?? ''} is not installed`);
});

test('a part of the screen is chosen by dragging, and reaches the server', async ({ desktop }) => {
  const { lifetime } = desktop;
  await desktop.tray.appear();
  const gateway = await serveRecordingGateway(lifetime);
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
