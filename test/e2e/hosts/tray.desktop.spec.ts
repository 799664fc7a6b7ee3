import { once } from 'node:events';
import type { ElectronApplication } from '@playwright/test';
import { expect, test } from '../fixtures/host-test.ts';
import { openMini } from '../fixtures/pages/app-windows.ts';

const patient = { timeout: 30_000 };

interface SeenTray {
  readonly items: readonly { readonly id: string; readonly label: string; click: () => void }[];
}

/** Captures the tray's menu as it is handed to the system, because no panel runs here. */
async function watchTray(electron: ElectronApplication): Promise<void> {
  await electron.evaluate(({ Menu }) => {
    const build = Menu.buildFromTemplate.bind(Menu);
    Menu.buildFromTemplate = (template) => {
      const menu = build(template);
      Reflect.set(globalThis, 'seenTray', menu);
      return menu;
    };
  });
}

const labels = (electron: ElectronApplication): Promise<readonly string[]> =>
  electron.evaluate(() => {
    const seen = Reflect.get(globalThis, 'seenTray') as SeenTray | undefined;
    return seen?.items.map(({ label }) => label).filter(Boolean) ?? [];
  });

let choices = 0;

/** Clicks an item. The question may be asked twice, if the debugger loses the answer, and clicks once. */
const choose = (electron: ElectronApplication, id: string): Promise<void> => {
  choices += 1;
  return electron.evaluate(
    (_electron, { id, choice }) => {
      if (Reflect.get(globalThis, 'trayChoice') === choice) return;
      const seen = Reflect.get(globalThis, 'seenTray') as SeenTray | undefined;
      const item = seen?.items.find((item) => item.id === id);
      if (item === undefined) throw new Error(`The tray has no ${id}.`);
      Reflect.set(globalThis, 'trayChoice', choice);
      // Clicks later, because Parley may quit before it can answer.
      setTimeout(() => {
        item.click();
      });
    },
    { id, choice: choices },
  );
};

test('tray and mini window follow language and theme at once', async ({ electron, page }) => {
  await watchTray(electron);
  const mini = await openMini(electron, () =>
    page.getByRole('button', { name: 'Mini window' }).click(),
  );
  const change = (language: 'zh' | 'system', theme: 'dark' | 'system') =>
    page.evaluate((appearance) => window.parley?.request('changeSettings', { appearance }), {
      language,
      theme,
    });
  await change('zh', 'dark');
  try {
    await expect(mini.getByRole('button', { name: '开始通话' })).toBeVisible();
    await expect(mini.locator('html')).toHaveAttribute('data-theme', 'dark');
    await expect.poll(() => labels(electron)).toContain('退出 Parley');
  } finally {
    await change('system', 'system');
  }
});

test('the tray follows a talk, controls it, and quits during one', async ({ electron, page }) => {
  await watchTray(electron);
  await page.getByRole('button', { name: 'Start talking' }).click();
  await expect
    .poll(() => labels(electron), patient)
    .toEqual([
      'Live',
      'End',
      'Push to talk',
      'Interrupt',
      'Mute',
      'Pause',
      'Microphone',
      'Speaker',
      'Mic mode',
      'Recent chats',
      'Show Parley',
      'Mini window',
      'Quit Parley',
    ]);
  await choose(electron, 'mute');
  await expect(page.getByRole('button', { name: 'Unmute' })).toBeVisible();
  await expect.poll(() => labels(electron)).toContain('Unmute');
  await choose(electron, 'end');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You ended the talk.', patient);
  await choose(electron, 'start');
  await expect.poll(() => labels(electron), patient).toContain('Live');

  const exit = once(electron.process(), 'exit');
  await choose(electron, 'quit');
  expect(await exit).toEqual([0, null]);
});
