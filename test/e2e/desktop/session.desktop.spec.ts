import type { ElectronApplication, Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { windows } from '../fixtures/pages/app-windows.ts';
import { answers, ask, clickUntilHidden, openChat } from '../fixtures/pages/chat-page.ts';
import { startTalk } from '../fixtures/pages/talk-page.ts';
import { skipWithoutSoundCard, speakSentence } from '../fixtures/sound-card.ts';
import { expect, test } from './desktop-test.ts';

test('one switch adds an autostart entry that starts this program hidden @nightly', async ({
  desktop,
}) => {
  const { page, electron } = await desktop.start();
  const entry = () =>
    readFile(join(desktop.home, 'autostart', 'parley.desktop'), 'utf8').catch(() => undefined);
  await page.getByRole('navigation').getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Desktop' }).click();
  const start = page.getByRole('switch', { name: 'Start at login' });
  await start.click();
  const path = await electron.evaluate(() => process.execPath);
  await expect.poll(entry).toContain(`Exec="${path}"`);
  expect(await entry()).toContain('"--hidden"');
  await start.click();
  await expect.poll(entry).toBeUndefined();
});

test('the menu’s copy and paste work, and the menu follows the language setting', async ({
  desktop,
}) => {
  const { page, electron } = await desktop.start();
  const labels = () =>
    electron.evaluate(({ Menu }) =>
      Menu.getApplicationMenu()?.items.map(({ label }) => label.replaceAll('&', '')),
    );
  await expect.poll(labels).toEqual(['File', 'Edit', 'View', 'Window', 'Help']);
  await page.evaluate(() =>
    window.parley?.request('changeSettings', { appearance: { language: 'zh' } }),
  );
  await expect.poll(labels).toContain('编辑(E)');
  await electron.evaluate(({ Menu }) => {
    const settings = Menu.getApplicationMenu()?.getMenuItemById('settings');
    settings?.click();
  });
  const find = page.getByRole('textbox', { name: '搜索设置' });
  await find.fill('abc');
  await electron.evaluate(({ Menu, BrowserWindow }) => {
    const edit = Menu.getApplicationMenu()?.items[1]?.submenu?.items ?? [];
    const [window] = BrowserWindow.getAllWindows();
    for (const role of ['selectall', 'copy', 'cut', 'paste', 'paste']) {
      edit
        .find((item) => item.role?.toLowerCase() === role)
        ?.click(undefined, window, window?.webContents);
    }
  });
  await expect(find).toHaveValue('abcabc');
});

/** Minimises the window, as if the user switched to another program. */
const leave = (electron: ElectronApplication): Promise<void> =>
  electron.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.minimize();
  });

// `open-integration.test.ts` has the cases without a notification.
test('a notification reports a finished answer, and a click opens it @nightly', async ({
  desktop,
}) => {
  const { notifications, start } = desktop;
  const { electron, page } = await start();
  await openChat(page);
  await ask(page, 'Reply with exactly: Reinette');
  await leave(electron);
  await notifications.waitForTitle('Your answer is ready');
  expect(JSON.stringify(notifications.shown)).not.toContain('Reinette');
  await page.evaluate(() => window.parley?.request('beginChat', undefined));
  await notifications.click('Your answer is ready');
  await expect(answers(page)).toContainText('Reinette');
  const focused = () =>
    electron.evaluate(({ BrowserWindow }) => BrowserWindow.getFocusedWindow() !== null);
  await expect.poll(focused).toBe(true);
});

test('a reminder that the model sets appears with its words @nightly', async ({ desktop }) => {
  const { notifications, start } = desktop;
  const { page } = await start({ settings: { tools: { reminders: true } } });
  await openChat(page);
  await ask(page, 'Call set_reminder {"text":"call home","in_minutes":0.1}');
  const allow = page.getByRole('button', { name: 'Allow once' });
  await expect(allow).toBeVisible();
  await clickUntilHidden(allow);
  await notifications.waitForTitle('Reminder');
  expect(JSON.stringify(notifications.shown)).toContain('call home');
  const reminder = page.getByRole('alert').filter({ hasText: 'call home' });
  await expect(reminder).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(reminder).toBeHidden();
});

/** Whether both devices are open and the microphone is sent; then no notice about devices is pending. */
async function isHeard(page: Page): Promise<boolean> {
  const talk = await page.evaluate(() => window.parley?.request('talk', undefined));
  if (talk?.ok !== true) return false;
  const { devices, controls } = talk.value;
  return (
    controls.passing && devices.microphone.kind === 'using' && devices.speaker.kind === 'using'
  );
}

test('a hidden page gets no notices of a talk, and gets the talk so far when it is shown @nightly', async ({
  desktop,
}) => {
  skipWithoutSoundCard();
  const { electron, page } = await desktop.start();
  await startTalk(page);
  await expect.poll(() => isHeard(page)).toBe(true);
  await leave(electron);
  await expect.poll(() => windows(electron)).toEqual(['minimized']);
  await electron.evaluate(({ BrowserWindow }) => {
    const sent: string[] = [];
    Reflect.set(globalThis, 'sent', sent);
    for (const { webContents } of BrowserWindow.getAllWindows()) {
      const send = webContents.send.bind(webContents);
      webContents.send = (channel, ...args: readonly unknown[]) => {
        sent.push(JSON.stringify(args).slice(0, 200));
        send(channel, ...args);
      };
    }
  });
  const messages = () =>
    electron.evaluate(() => Reflect.get(globalThis, 'sent') as readonly string[]);
  await speakSentence();
  await page.waitForTimeout(8000);
  expect(await messages(), 'messages to a page that nobody sees').toEqual([]);
  await electron.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.restore();
  });
  await expect(page.locator('.caption').first()).toContainText(/\w+ \w+/);
  expect(await messages()).not.toEqual([]);
});
