import type { ElectronApplication, Page } from '@playwright/test';
import { execFile } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { which } from '../../../scripts/lib/run.mjs';
import type { CursorAction } from '../../../shared/cursor/cursor-action.ts';
import type { SettingsPatch } from '../../../shared/settings/settings.ts';
import { expect, test } from '../desktop/desktop-test.ts';
import { openMini, visibleWindows } from '../fixtures/pages/app-windows.ts';
import { skipWithoutSoundCard, speakSentence } from '../fixtures/sound-card.ts';
import { spread } from '../fixtures/spread.ts';
import {
  type Editor,
  openEditor,
  type SmallWindow,
  untilKeyWorks,
  watchSmallWindow,
  xdotool,
} from './open-editor.ts';

// Parley's keys while another program has the focus, also pressed often and fast.

const run = promisify(execFile);
const patient = { timeout: 20_000 };
const askKey = 'ctrl+alt+space';
const text = 'A lighthouse stands here.';
const rounds = process.env['PARLEY_TEST_TIER'] === 'default' ? 30 : 100;

const correct: CursorAction = {
  id: 'correct',
  name: '',
  icon: 'correct',
  prompt: '',
  key: 'Control+Alt+KeyC',
  inPlace: true,
};

interface CursorDesktop {
  readonly electron: ElectronApplication;
  readonly main: Page;
  readonly small: SmallWindow;
  readonly editor: Editor;
}

test.beforeAll(() => {
  const missing = ['xdotool', 'l3afpad'].find((tool) => which(tool) === undefined);
  test.skip(missing !== undefined, `${missing ?? ''} is not installed`);
});

const cursorTest = test.extend<{
  readonly cursor: SettingsPatch['cursor'];
  readonly cursorDesktop: CursorDesktop;
}>({
  cursor: [{}, { option: true }],
  cursorDesktop: async ({ desktop, cursor }, use) => {
    await desktop.tray.appear();
    const { electron, page: main } = await desktop.start({
      flags: ['--hidden'],
      settings: { cursor: { enabled: true, ...cursor } },
    });
    const small = await watchSmallWindow(electron);
    const editor = await openEditor(desktop.lifetime, desktop.home, text);
    await untilKeyWorks(main, 'ask');
    await use({ electron, main, small, editor });
  },
});

cursorTest('the first opening loses no key', async ({ cursorDesktop }) => {
  await xdotool('key', askKey);
  await expect.poll(cursorDesktop.small.isFocused, { intervals: [5] }).toBe(true);
  await xdotool('type', '--delay', '0', 'hello');
  await expect((await cursorDesktop.small.page()).getByRole('textbox')).toHaveValue('hello');
  await xdotool('key', 'Escape');
  await expect.poll(cursorDesktop.editor.hasFocus).toBe(true);
});

cursorTest('the window has a type that task bars leave out', async ({ cursorDesktop }) => {
  await xdotool('key', askKey);
  await expect.poll(cursorDesktop.small.isFocused).toBe(true);
  await expect.poll(cursorDesktop.editor.hasFocus).toBe(false);
  const id = await xdotool('getactivewindow');
  const { stdout } = await run('xprop', ['-id', id, '_NET_WM_STATE', '_NET_WM_WINDOW_TYPE']);
  // Electron's own flag sets no SKIP_TASKBAR on Linux. Task bars such as tint2's also leave out tool bars.
  expect(stdout).toMatch(/_NET_WM_STATE_SKIP_TASKBAR|_NET_WM_WINDOW_TYPE_TOOLBAR/);
});

cursorTest(
  'the key opens the window each time, however soon after Escape',
  async ({ cursorDesktop }) => {
    test.setTimeout(400_000);
    const { small, editor } = cursorDesktop;
    const delays: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const shown = async () => (await small.events()).filter(({ name }) => name === 'show').length;
      const before = await shown();
      const pressedAt = Date.now();
      await xdotool('key', askKey);
      await expect.poll(small.isFocused, { intervals: [20] }).toBe(true);
      expect(await shown()).toBe(before + 1);
      // Electron says so before the window manager has moved the keyboard.
      await expect.poll(editor.hasFocus, { intervals: [20] }).toBe(false);
      const at = (await small.events()).findLast(({ name }) => name === 'show')?.at ?? NaN;
      delays.push(at - pressedAt);
      await xdotool('key', 'Escape');
      await expect
        .poll(small.isVisible, { message: `closed in round ${round}`, intervals: [20] })
        .toBe(false);
      await expect.poll(editor.hasFocus, { intervals: [20] }).toBe(true);
      await wait([1500, 400, 100, 0][round % 4]);
    }
    // The first press makes the window.
    const [first = NaN, ...others] = delays;
    test.info().annotations.push({
      type: 'measured',
      description: `key to visible, with xdotool's start: ${spread(others)}; first ${first} ms`,
    });
  },
);

cursorTest.describe(() => {
  cursorTest.use({
    cursor: {
      actions: [correct],
    },
  });

  cursorTest(
    'an action’s own key replaces the selection without a question',
    async ({ cursorDesktop }) => {
      await untilKeyWorks(cursorDesktop.main, 'action-correct');
      await xdotool('key', 'ctrl+a');
      await xdotool('key', 'ctrl+alt+c');
      await expect.poll(cursorDesktop.small.isVisible).toBe(true);
      await expect.poll(cursorDesktop.small.isVisible, patient).toBe(false);
      await expect.poll(cursorDesktop.editor.saved, patient).not.toBe(text);
      expect((await cursorDesktop.editor.saved()).trim()).not.toBe('');
      // The editor kept the focus all the time.
      expect((await cursorDesktop.small.events()).filter(({ name }) => name === 'focus')).toEqual(
        [],
      );
    },
  );
});

cursorTest('dictated words are put into the editor', async ({ cursorDesktop }) => {
  skipWithoutSoundCard();
  test.setTimeout(120_000);
  await untilKeyWorks(cursorDesktop.main, 'dictate');
  // Repeats the sentence, because a busy machine loses pieces of it in the sound card.
  await expect(async () => {
    await xdotool('key', 'ctrl+a');
    await xdotool('keydown', 'ctrl', 'keydown', 'alt', 'keydown', 'd');
    await speakSentence('hear');
    await xdotool('keyup', 'd', 'keyup', 'alt', 'keyup', 'ctrl');
    await expect.poll(cursorDesktop.editor.saved, { timeout: 8000 }).toContain('I can hear you');
  }).toPass({ timeout: 60_000 });
  await expect.poll(cursorDesktop.small.isVisible).toBe(false);
  expect(await cursorDesktop.editor.hasFocus()).toBe(true);
});

test('Parley quits with its main window, although the small window is kept hidden', async ({
  desktop,
}) => {
  const { electron, page } = await desktop.start({
    settings: { cursor: { enabled: true }, desktop: { closing: 'quit' } },
  });
  const small = await watchSmallWindow(electron);
  const editor = await openEditor(desktop.lifetime, desktop.home, text);
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

test('the small window takes the place of the mini window with its talk, and gives it back', async ({
  desktop,
}) => {
  skipWithoutSoundCard();
  test.setTimeout(120_000);
  await desktop.tray.appear();
  const { electron, page: main } = await desktop.start({ settings: { cursor: { enabled: true } } });
  const small = await watchSmallWindow(electron);
  await main.getByRole('button', { name: 'Start talking' }).click();
  await expect(main.getByRole('button', { name: 'Interrupt' })).toBeVisible({ timeout: 30_000 });
  await openMini(electron, () => main.getByRole('button', { name: 'Mini window' }).click());
  await main.evaluate(() => window.parley?.request('showMini', undefined));
  const editor = await openEditor(desktop.lifetime, desktop.home, 'A lighthouse stands here.');
  await untilKeyWorks(main, 'ask');
  await xdotool('key', 'ctrl+alt+space');
  await expect.poll(small.isFocused).toBe(true);
  const page = await small.page();
  const talk = page.getByRole('region', { name: 'Controls' });
  await expect(talk.getByRole('status')).toHaveText('Live');
  const isMiniVisible = async () => (await visibleWindows(electron)).includes('mini');
  await expect.poll(isMiniVisible).toBe(false);
  await talk.getByRole('button', { name: 'Mute' }).click();
  await expect(talk.getByText('You are muted')).toBeVisible();
  await xdotool('key', 'Escape');
  await expect.poll(isMiniVisible).toBe(true);
  await expect.poll(editor.hasFocus).toBe(true);
});
