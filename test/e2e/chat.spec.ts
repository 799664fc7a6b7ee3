import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, test } from './fixtures/host-test.ts';
import {
  answers,
  ask,
  field,
  makeHugeFile,
  makeVastPicture,
  openChat,
  questions,
} from './fixtures/pages/chat-page.ts';
import { overflowOf } from './fixtures/pages/page-checks.ts';

test.beforeEach(({ page }) => openChat(page));

test('an answer can be stopped and regenerated, and edited questions keep every version', async ({
  page,
}) => {
  const words = Array.from({ length: 150 }, (_, index) => `word${index}`).join(' ');
  await ask(page, `Reply with exactly: ${words}`);
  await expect(answers(page)).toContainText('word3 ');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(answers(page)).toContainText('This answer was stopped.');
  await expect(answers(page)).not.toContainText('word149');

  await questions(page).hover();
  await page.getByRole('button', { name: 'Edit' }).click();
  const edit = page.getByRole('textbox', { name: 'Edit this message' });
  await edit.press('Escape');
  await expect(questions(page).locator('button:focus')).toBeVisible();
  await page.getByRole('button', { name: 'Edit' }).click();
  await edit.fill('Reply with exactly: **Two**');
  await edit.press('Enter');
  await expect(answers(page).getByText('Two')).toHaveCSS('font-weight', /[67]\d\d/);
  // Another Enter must not switch the version.
  await expect(page.getByRole('region', { name: 'Messages' })).toBeFocused();
  await expect(questions(page)).toContainText('2 of 2');

  await questions(page).hover();
  await page.getByRole('button', { name: 'Previous version' }).click();
  await expect(answers(page)).toContainText('word3 ');
  await expect(questions(page)).toContainText('1 of 2');

  await page.getByRole('button', { name: 'Ask again' }).click();
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
});

test('chats can be found, renamed, pinned and deleted, and each keeps its draft @nightly', async ({
  page,
}) => {
  const list = page.getByRole('complementary', { name: 'Chats' });
  const row = (title: string) => list.getByRole('listitem').filter({ hasText: title });
  const more = async (title: string, doing: string) => {
    await row(title).getByRole('button', { name: /^More/ }).click();
    await page.getByRole('menuitem', { name: doing }).click();
  };
  const mark = `Mirabelle${Date.now()}`;
  await ask(page, `Reply with exactly: ${mark}`);
  await expect(answers(page)).toContainText(mark);
  await field(page).fill('Not yet sent');
  await list.getByRole('button', { name: 'New chat', exact: true }).click();
  await expect(field(page)).toHaveValue('');
  await expect(field(page)).toBeFocused();

  await list.getByRole('textbox', { name: 'Search chats' }).fill(mark.toLowerCase());
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await list.getByRole('listitem').getByRole('button').first().click();
  await expect(field(page)).toHaveValue('Not yet sent');
  await list.getByRole('button', { name: 'Clear search' }).click();

  const name = `Plum ${mark}`;
  await more(mark, 'Rename');
  await list.getByRole('textbox', { name: 'Chat name' }).fill(name);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  await more(name, 'Pin');
  await expect(list.getByRole('region', { name: 'Pinned' })).toContainText(name);

  await more(name, 'Delete');
  await expect(row(name)).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row(name)).toHaveCount(1);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  await more(name, 'Delete');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(row(name)).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 2, name: 'Write something.' })).toBeVisible();
});

test('files over the limits are refused in a sentence, and hostile HTML is shown as text @nightly', async ({
  page,
  running,
}) => {
  const notes = page.getByRole('status');
  const picker = page.locator('input[type="file"]');
  const huge = await makeHugeFile('huge.png', 2_000_000_001);
  try {
    await picker.setInputFiles(huge);
    await expect(notes.getByText('The limit for pictures is 50 MB')).toBeVisible();
  } finally {
    await rm(dirname(huge), { recursive: true });
  }
  const wide = await makeVastPicture(10_000);
  await picker.setInputFiles({ name: 'wide.jpg', mimeType: 'image/jpeg', buffer: wide });
  await expect(notes.getByText('10000 × 10000 pixels')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Attached' })).toHaveCount(0);

  await ask(page, 'Reply with exactly: <img src=x onerror="alert(1)"> <script>alert(2)</script>');
  await expect(answers(page)).toContainText('<script>alert(2)</script>');
  await expect(answers(page).locator('img, script')).toHaveCount(0);
  expect(running.consoleWatch.unexpected()).toEqual([]);

  await field(page).focus();
  await page.evaluate(
    (text) => document.execCommand('insertText', false, text),
    'مرحبا 👩‍👩‍👧 e\u0301 all work and no play '.repeat(5600).slice(0, 200_000),
  );
  await page.getByRole('button', { name: 'Send', exact: true }).dblclick();
  await expect(questions(page)).toHaveCount(2);
  await expect(page.getByRole('button', { name: /Show all 200,000 characters/ })).toBeVisible();
  await page.setViewportSize({ width: 320, height: 600 });
  expect(await overflowOf(page)).toBe(0);

  await page.setViewportSize({ width: 480, height: 600 });
  await page.getByRole('button', { name: 'Options' }).click();
  await page.getByRole('dialog').locator('.picker').click();
  await page.getByRole('menuitemradio').click();
  await expect(page.getByRole('menu')).toHaveCount(0);
});
