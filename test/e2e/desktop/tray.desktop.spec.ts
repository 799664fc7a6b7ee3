import sharp from 'sharp';
import { once } from 'node:events';
import { closeWindow, windows } from '../fixtures/pages/app-windows.ts';
import { expect, test } from './desktop-test.ts';
import { type ChildProcess, execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { which } from '../../../scripts/lib/run.mjs';
import type { Lifetime } from '../../../shared/lifetime.ts';
import { endChild, spawnDyingWithParent } from '../fixtures/processes.ts';

const run = promisify(execFile);

function findMissingPanelTool(): string | undefined {
  const programs = ['tint2', 'xwininfo', 'xdotool', 'ffmpeg'];
  return programs.find((program) => which(program) === undefined);
}

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The panel tint2, which shows nothing but an XEmbed tray. */
class XPanel {
  readonly #folder: string;
  #child: ChildProcess | undefined;

  constructor(folder: string, lifetime: Lifetime) {
    this.#folder = folder;
    lifetime.add(() => this.stop());
  }

  async start(): Promise<void> {
    const file = join(this.#folder, 'tint2rc');
    await writeFile(file, 'panel_items = S\npanel_size = 200 40\n');
    this.#child = spawnDyingWithParent('tint2', ['-c', file], { stdio: 'ignore' });
    await once(this.#child, 'spawn');
  }

  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child !== undefined) await endChild(child);
  }

  /** The icon's place on the screen; waits until there is one. */
  async icon(): Promise<Rectangle> {
    let found: Rectangle | undefined;
    await expect
      .poll(async () => {
        found = await this.#findIcon();
        return found;
      })
      .toBeDefined();
    if (found === undefined) throw new Error('The panel shows no icon.');
    return found;
  }

  async click(button: '1' | '3' = '1'): Promise<void> {
    const { x, y, width, height } = await this.icon();
    const middle = [x + width / 2, y + height / 2].map((place) => String(Math.round(place)));
    await run('xdotool', ['mousemove', ...middle, 'click', button]);
  }

  /** The pixels at the icon's place, three bytes each. */
  async pixels(): Promise<ScreenPixels> {
    const { x, y, width, height } = await this.icon();
    const place = `${process.env['DISPLAY']}+${x},${y}`;
    const source = ['-f', 'x11grab', '-draw_mouse', '0', '-video_size', `${width}x${height}`];
    const picture = ['-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'];
    const args = ['-loglevel', 'error', ...source, '-i', place, ...picture];
    const { stdout } = await run('ffmpeg', args, { encoding: 'buffer' });
    return { width, height, colours: stdout };
  }

  /** Opens the icon's menu with the right button, and waits until it is on the screen. */
  async openMenu(): Promise<void> {
    const before = new Set((await shownWindows()).map(({ id }) => id));
    await this.click('3');
    const large = ({ width, height }: Rectangle): boolean => width > 100 && height > 100;
    await expect
      .poll(async () => (await shownWindows()).filter(({ id }) => !before.has(id)).some(large))
      .toBe(true);
  }

  async press(...keys: readonly string[]): Promise<void> {
    await run('xdotool', ['key', '--delay', '100', ...keys]);
  }

  /** Tray icons are the innermost windows inside the panel's window. */
  async #findIcon(): Promise<Rectangle | undefined> {
    const lines = (await windowTree()).split('\n');
    const depthOf = (line: string): number => line.search(/\S/);
    const withinPanel = lines.flatMap((line, at) => {
      if (!line.includes('"tint2"')) return [];
      const outside = depthOf(line);
      const rest = lines.slice(at + 1);
      const end = rest.findIndex((other) => /0x/.test(other) && depthOf(other) <= outside);
      return rest.slice(0, end === -1 ? rest.length : end);
    });
    return withinPanel
      .filter((line) => /electron|parley/i.test(line))
      .flatMap(windowOf)
      .findLast(({ width, height }) => width > 1 && height > 1);
  }
}

/** Empty if a window disappears while xwininfo walks the tree. */
async function windowTree(): Promise<string> {
  try {
    const { stdout } = await run('xwininfo', ['-root', '-tree']);
    return stdout;
  } catch (problem) {
    if (!/Bad (Window|Drawable)/.test(String(problem))) throw problem;
    return '';
  }
}

interface ScreenPixels {
  readonly width: number;
  readonly height: number;
  readonly colours: Buffer;
}

interface ShownWindow extends Rectangle {
  readonly id: string;
}

/** Parses a line of xwininfo's tree. */
function windowOf(line: string): readonly ShownWindow[] {
  const found = /(0x\w+).* (\d+)x(\d+)\+-?\d+\+-?\d+ {2}\+(-?\d+)\+(-?\d+)$/.exec(line);
  if (found === null) return [];
  const [, id = '', ...sizes] = found;
  const [width = 0, height = 0, x = 0, y = 0] = sizes.map(Number);
  return [{ id, x, y, width, height }];
}

/** The viewable children of the root window. */
async function shownWindows(): Promise<readonly ShownWindow[]> {
  const { stdout } = await run('xwininfo', ['-root', '-children']);
  const windows = stdout.split('\n').flatMap(windowOf);
  const shown = await Promise.all(
    windows.map(async (window) => {
      const asked = await run('xwininfo', ['-id', window.id]).catch(() => ({ stdout: '' }));
      return asked.stdout.includes('IsViewable') ? [window] : [];
    }),
  );
  return shown.flat();
}

/** How much of a picture file the screen shows, from 0 to 1; a panel may have scaled and shifted the icon. */
async function iconMatch(seen: ScreenPixels, file: string): Promise<number> {
  const shares: number[] = [];
  for (let size = Math.min(seen.width, seen.height); size >= 12; size -= 1) {
    const expected = await sharp(file).resize(size, size).ensureAlpha().raw().toBuffer();
    const middle = { x: (seen.width - size) / 2, y: (seen.height - size) / 2 };
    for (const by of [-1, 0, 1]) {
      const left = Math.max(0, Math.floor(middle.x) + by);
      const top = Math.max(0, Math.floor(middle.y));
      shares.push(shareAt(seen, expected, size, { left, top }));
    }
  }
  return Math.max(...shares);
}

function shareAt(
  { width, height, colours }: ScreenPixels,
  expected: Buffer,
  size: number,
  { left, top }: { readonly left: number; readonly top: number },
): number {
  let drawn = 0;
  let same = 0;
  for (let at = 0; at < size * size; at += 1) {
    if ((expected[at * 4 + 3] ?? 0) < 200) continue;
    drawn += 1;
    const [x, y] = [left + (at % size), top + Math.floor(at / size)];
    if (x >= width || y >= height) continue;
    const place = (y * width + x) * 3;
    const near = [0, 1, 2].every(
      (part) => Math.abs((expected[at * 4 + part] ?? 0) - (colours[place + part] ?? 0)) < 32,
    );
    if (near) same += 1;
  }
  return drawn === 0 ? 0 : same / drawn;
}

// Real trays. `tray.test.ts` and `desktop-windows.test.ts` hold the rules.

test('the tray alone starts, controls and ends a talk, without any window', async ({ desktop }) => {
  const { tray, start } = desktop;
  await tray.appear();
  const { electron } = await start({ flags: ['--hidden'], settings: { talking: { mode: 'tap' } } });
  const labels = async () => (await tray.menu()).map(({ label }) => label);
  await expect.poll(labels).toContain('Start talking');
  expect(await windows(electron)).toEqual(['hidden']);
  expect(await tray.property('ToolTip')).toMatchObject({ 2: 'Parley · Ready' });

  await tray.choose('Start talking');
  await expect.poll(labels).toContain('Live, talk key is up');
  const held = async () =>
    (await tray.menu()).find(({ label }) => label === 'Push to talk')?.checked;
  for (const isHeld of [true, false]) {
    await tray.choose('Push to talk');
    await expect.poll(held).toBe(isHeld);
  }
  await tray.choose('Pause');
  await expect.poll(labels).toContain('Resume');
  await tray.choose('End');
  await expect.poll(labels).toContain('The talk has ended');
  expect(await windows(electron)).toEqual(['hidden']);
});

test('closing the window keeps Parley in the tray and notifies the user once; clicks show and hide the window @nightly', async ({
  desktop,
}) => {
  const { tray, notifications, start } = desktop;
  await tray.appear();
  const { electron } = await start();
  await tray.icon();
  for (const _time of ['with a notification', 'without one']) {
    await closeWindow(electron);
    await expect.poll(() => windows(electron)).toEqual(['hidden']);
    await expect.poll(() => notifications.titles()).toEqual(['Parley is still here']);
    await tray.click();
    await expect.poll(() => windows(electron)).toEqual(['shown']);
  }
  await tray.click();
  await expect.poll(() => windows(electron)).toEqual(['hidden']);
  expect(notifications.titles()).toEqual(['Parley is still here']);

  const exit = once(electron.process(), 'exit');
  await tray.choose('Quit Parley');
  expect(await exit).toEqual([0, null]);
});

test('closing without a tray minimises the window or quits, as the setting says @nightly', async ({
  desktop,
}) => {
  const { notifications, start } = desktop;
  const { electron, page } = await start({ settings: { desktop: { closing: 'keep' } } });
  await closeWindow(electron);
  await expect.poll(() => windows(electron)).toEqual(['minimized']);
  await expect.poll(() => notifications.titles()).toEqual(['Parley was minimised']);
  await notifications.click('Parley was minimised');
  await expect.poll(() => windows(electron)).toEqual(['shown']);
  await expect(page.getByRole('heading', { name: 'Desktop' })).toBeVisible();
  await page.getByRole('radio', { name: 'Quit', exact: true }).click();
  await expect(page.getByRole('radio', { name: 'Quit', exact: true })).toBeChecked();
  const exit = once(electron.process(), 'exit');
  await closeWindow(electron);
  expect(await exit).toEqual([0, null]);
});

test('an XEmbed tray shows the icon of the talk, keeps the closed window, and quits @nightly', async ({
  desktop,
}) => {
  const missing = findMissingPanelTool();
  test.skip(missing !== undefined, `${missing} is not installed`);
  const { start, lifetime, home } = desktop;
  const panel = new XPanel(home, lifetime);
  await panel.start();
  const { page, electron } = await start();
  const shows = async (sign: string) =>
    iconMatch(await panel.pixels(), `resources/tray/linux/on-both/${sign}@3x.png`);
  await expect.poll(() => shows('ready')).toBeGreaterThan(0.8);
  expect(await shows('live')).toBeLessThan(0.5);

  await closeWindow(electron);
  await expect.poll(() => windows(electron)).toEqual(['hidden']);
  await panel.stop();
  await expect.poll(() => windows(electron)).toEqual(['minimized']);
  await panel.start();
  await expect(async () => {
    await panel.click();
    await expect.poll(() => windows(electron), { timeout: 2000 }).toEqual(['shown']);
  }).toPass();

  await page.getByRole('button', { name: 'Start talking' }).click();
  await expect.poll(() => shows('live')).toBeGreaterThan(0.8);
  expect(await shows('ready')).toBeLessThan(0.5);
  await panel.openMenu();
  const exit = once(electron.process(), 'exit');
  // Up from the first entry wraps to the last.
  await panel.press('Up', 'Return');
  expect(await exit).toEqual([0, null]);
});
