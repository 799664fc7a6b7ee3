import type { ElectronApplication } from '@playwright/test';
import { answers, ask, clickUntilHidden, openChat } from '../fixtures/pages/chat-page.ts';
import { expect, test } from './desktop-test.ts';

const patient = { timeout: 30_000 };

/** Minimises the window, as if the user switched to another program. */
const leave = (electron: ElectronApplication): Promise<void> =>
  electron.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.minimize();
  });

const focused = (electron: ElectronApplication): Promise<boolean> =>
  electron.evaluate(({ BrowserWindow }) => BrowserWindow.getFocusedWindow() !== null);

test('a notification reports a finished answer, and a click opens it', async ({ desktop }) => {
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
  await expect.poll(() => focused(electron)).toBe(true);
});

test('a click on a notification of a deleted chat shows a sentence', async ({ desktop }) => {
  const { notifications, start } = desktop;
  const { electron, page } = await start();
  await openChat(page);
  await ask(page, 'Reply with exactly: Reinette');
  await leave(electron);
  await notifications.waitForTitle('Your answer is ready');
  await page.evaluate(async () => {
    const chat = await window.parley?.request('chat', undefined);
    if (chat?.ok !== true) throw new Error('The conversation could not be opened.');
    const { id } = (chat.value as { conversation: { id: string } }).conversation;
    await window.parley?.request('removeChat', { id });
  });
  await notifications.click('Your answer is ready');
  await expect(page.getByText('This chat is gone.')).toBeVisible();
  await expect.poll(() => focused(electron)).toBe(true);
});

test('no notification appears while the window has the focus or the setting is off', async ({
  desktop,
}) => {
  const { notifications, start } = desktop;
  const { electron, page } = await start({ settings: { desktop: { notifyAnswer: false } } });
  await openChat(page);
  await leave(electron);
  await ask(page, 'Reply with exactly: Reinette');
  await expect(answers(page)).toContainText('Reinette', patient);
  await page.evaluate(() =>
    window.parley?.request('changeSettings', { desktop: { notifyAnswer: true } }),
  );
  await electron.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.show();
    BrowserWindow.getAllWindows()[0]?.focus();
  });
  await expect.poll(() => focused(electron)).toBe(true);
  await ask(page, 'Reply with exactly: Renette');
  await expect(answers(page).last()).toContainText('Renette', patient);
  expect(notifications.titles()).toEqual([]);
  // Shows that notifications do work.
  await ask(page, 'Reply with exactly: Boskoop');
  await leave(electron);
  await notifications.waitForTitle('Your answer is ready');
});

test('a reminder that the model sets appears with its words', async ({ desktop }) => {
  const { notifications, start } = desktop;
  const settings = { tools: { reminders: true } };
  const first = await start({ settings });
  await openChat(first.page);
  await ask(first.page, 'Call set_reminder {"text":"call home","in_minutes":0.1}');
  const allow = first.page.getByRole('button', { name: 'Allow once' });
  await expect(allow).toBeVisible(patient);
  await clickUntilHidden(allow);
  await notifications.waitForTitle('Reminder');
  expect(JSON.stringify(notifications.shown)).toContain('call home');
  await expect(first.page.getByRole('alert').filter({ hasText: 'call home' })).toBeVisible();
  await first.page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(first.page.getByRole('alert').filter({ hasText: 'call home' })).toBeHidden();
});
