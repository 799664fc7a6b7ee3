import type { Page } from '@playwright/test';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from './fixtures/host-test.ts';
import { answerDialogs } from './fixtures/pages/app-windows.ts';
import { answers, ask } from './fixtures/pages/chat-page.ts';
import { clipboardText } from './fixtures/pages/page-checks.ts';
import { openSection } from './fixtures/pages/settings-screen.ts';
import { startTalk } from './fixtures/pages/talk-page.ts';

const folders = ['chats', 'tapes', 'voices'] as const;
const secrets = ['token-of-mine', 'header-of-mine', 'query-of-mine', 'words of mine'];

const settings = {
  assistant: { instructions: 'words of mine' },
  privacy: { keepChats: true, keepTapes: true },
  voices: { model: 'none' },
} as const;

test('diagnostics contain no secrets, and deleted data is gone from the disk', async ({
  start,
  home,
}) => {
  const state = join(home, 'state');
  const { page, electron } = await start(settings);
  if (electron !== undefined) await answerDialogs(electron, 0);
  await storeOneOfEach(page);
  const read = (file: string) => readFile(join(state, file), 'utf8');
  for (const secret of secrets.slice(0, 3)) expect(await read('tokens.json')).toContain(secret);
  for (const folder of folders) expect(await entriesOf(state, folder), folder).not.toEqual([]);

  await openSection(page, 'About');
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(page.getByText('Copied.')).toBeVisible();
  const copied = await clipboardText(page);
  expect(copied).toContain('program: Parley');
  expect(copied).toContain('"hasToken":true');
  for (const secret of [...secrets, 'studio.example', home]) expect(copied).not.toContain(secret);

  await openSection(page, 'Privacy');
  const rows = page.locator('.stored-data-row');
  const kinds = ['Chats', 'Recordings of talks', 'Voices', 'Access tokens'];
  for (const kind of kinds) {
    // The server's header and query values count as a second entry.
    const count = kind === 'Access tokens' ? /(?<!\d)2 · / : /(?<!\d)1 · /;
    await expect(rows.filter({ hasText: kind })).toContainText(count);
  }
  // The question names only what will be deleted.
  await page.getByRole('button', { name: 'Delete: Voices' }).click();
  const question = page.getByRole('dialog');
  await expect(question).toContainText('Delete permanently: Voices?');
  await expect(question).not.toContainText(/chats|recordings|access tokens/i);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Delete everything' }).click();
  await expect(question).toContainText('Talks, chats, recordings, voices');
  await question.getByRole('button', { name: 'Delete permanently' }).click();
  for (const kind of kinds) await expect(rows.filter({ hasText: kind })).toContainText('nothing');
  for (const folder of folders) expect(await entriesOf(state, folder), folder).toEqual([]);
  expect(existsSync(join(state, 'tokens.json'))).toBe(false);
  await openSection(page, 'Servers');
  await expect(page.getByRole('radio', { name: /^Studio/ })).toHaveCount(1);
});

/** The entries of a folder; none if it does not exist. */
function entriesOf(state: string, folder: string): Promise<readonly string[]> {
  const path = join(state, folder);
  return existsSync(path) ? readdir(path, { recursive: true }) : Promise.resolve([]);
}

/** Creates a server with secrets, a voice, a chat and a talk through the window. */
async function storeOneOfEach(page: Page): Promise<void> {
  await openSection(page, 'Servers');
  await page.getByRole('button', { name: 'Add a server' }).click();
  const form = page.getByRole('form', { name: 'New server' });
  await form.getByRole('textbox', { name: 'Address' }).fill('wss://studio.example');
  await form.getByRole('textbox', { name: 'Name' }).fill('Studio');
  await form.getByLabel('Access token').fill('token-of-mine');
  await form.getByText('Protocol, headers, query, certificate').click();
  for (const [add, value] of [
    ['Add a header', 'header-of-mine'],
    ['Add a field', 'query-of-mine'],
  ] as const) {
    await form.getByRole('button', { name: add }).click();
    const field = form.locator('.form-field').last();
    await field.getByRole('textbox').first().fill('team');
    await field.getByRole('textbox').last().fill(value);
  }
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toBeHidden();
  // Saving chose the new server, at whose address nothing answers.
  await page.getByRole('radio', { name: /^Demonstration/ }).click();
  await expect(page.getByRole('radio', { name: /^Demonstration/ })).toBeChecked();

  await openSection(page, 'Voices');
  const hello = resolve(import.meta.dirname, '../../resources/speech/hello.wav');
  await page.locator('input[type="file"]').setInputFiles(hello);
  await expect(page.locator('.voice')).toHaveCount(1);

  await page.getByRole('button', { name: 'Chat', exact: true }).click();
  await ask(page, 'Reply with exactly: Plum');
  await expect(answers(page)).toContainText('Plum');

  await page.getByRole('button', { name: 'Talk', exact: true }).click();
  await startTalk(page);
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You ended the talk.');
}
