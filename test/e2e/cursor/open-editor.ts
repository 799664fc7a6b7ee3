import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type ElectronApplication, expect, type Page } from '@playwright/test';
import { which } from '../../../scripts/lib/run.mjs';
import type { Lifetime } from '../../../shared/lifetime.ts';
import type { SettingsPatch } from '../../../shared/settings/settings.ts';
import type { Desktop } from '../desktop/desktop-test.ts';

const run = promisify(execFile);

/** Runs xdotool and returns its output. */
export async function xdotool(...args: readonly string[]): Promise<string> {
  const { stdout } = await run('xdotool', args);
  return stdout.trim();
}

const activeTitle = (): Promise<string> =>
  xdotool('getactivewindow', 'getwindowname').catch(() => '');

interface Editor {
  readonly hasFocus: () => Promise<boolean>;
  /** Saves and returns the text. */
  readonly saved: () => Promise<string>;
}

/** Opens a text in a GTK editor, which has the focus from then on. */
export async function openEditor(
  lifetime: Lifetime,
  folder: string,
  text: string,
): Promise<Editor> {
  const file = join(folder, 'letter.txt');
  await writeFile(file, text);
  const child = spawn('l3afpad', [file], { stdio: 'ignore' });
  lifetime.add(async () => {
    const exit = once(child, 'exit');
    if (child.kill()) await exit;
  });
  const hasFocus = async () => (await activeTitle()).includes('letter.txt');
  await expect.poll(hasFocus).toBe(true);
  return {
    hasFocus,
    saved: async () => {
      await xdotool('key', 'ctrl+s');
      await wait(100);
      return readFile(file, 'utf8');
    },
  };
}

/** The small window, as the main process sees it. */
interface SmallWindow {
  readonly isVisible: () => Promise<boolean>;
  readonly isFocused: () => Promise<boolean>;
  readonly timesShown: () => Promise<number>;
  /** The window's page, once Parley has made it. */
  readonly page: () => Promise<Page>;
}

const address = 'window=cursor';

export async function watchSmallWindow(electron: ElectronApplication): Promise<SmallWindow> {
  await electron.evaluate(({ app }) => {
    Reflect.set(globalThis, 'timesShown', 0);
    app.on('browser-window-created', (_event, window) => {
      window.on('show', () =>
        Reflect.set(globalThis, 'timesShown', Number(Reflect.get(globalThis, 'timesShown')) + 1),
      );
    });
  });
  const ask = (what: 'isVisible' | 'isFocused'): Promise<boolean> =>
    electron.evaluate(
      ({ BrowserWindow }, { what, address }) =>
        BrowserWindow.getAllWindows().some(
          (window) => window.webContents.getURL().includes(address) && window[what](),
        ),
      { what, address },
    );
  return {
    isVisible: () => ask('isVisible'),
    isFocused: () => ask('isFocused'),
    timesShown: () => electron.evaluate(() => Number(Reflect.get(globalThis, 'timesShown'))),
    page: async () => {
      let found: Page | undefined;
      await expect
        .poll(() => {
          found = electron.windows().find((page) => page.url().includes(address));
          return found !== undefined;
        })
        .toBe(true);
      if (found === undefined) throw new Error('The small window has no page.');
      return found;
    },
  };
}

/** Waits until Parley listens for a key. */
export async function untilKeyWorks(page: Page, id: string): Promise<void> {
  await expect
    .poll(
      async () => {
        const reply = await page.evaluate(() => window.parley?.request('globalKey', undefined));
        return reply?.ok === true ? reply.value.cursor?.[id]?.kind : undefined;
      },
      { timeout: 30_000 },
    )
    .toBe('active');
}

export function missingCursorTool(): string | undefined {
  return ['xdotool', 'l3afpad', 'xterm'].find((tool) => which(tool) === undefined);
}

/** Starts Parley hidden in its tray, beside an editor that has the focus. */
export async function openBesideEditor(
  { tray, start, lifetime, home }: Desktop,
  cursor: SettingsPatch['cursor'] = {},
) {
  await tray.appear();
  const settings = { cursor: { enabled: true, ...cursor } };
  const { electron, page: main } = await start({ flags: ['--hidden'], settings });
  const small = await watchSmallWindow(electron);
  const text = 'A lighthouse stands here.';
  const editor = await openEditor(lifetime, home, text);
  await untilKeyWorks(main, 'ask');
  return { electron, main, small, editor, text };
}
