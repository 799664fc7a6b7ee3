import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { talkPhase } from '../fixtures/pages/read-core.ts';
import { waitUntilLive } from '../fixtures/pages/talk-page.ts';
import { expect, test } from './desktop-test.ts';

const patient = { timeout: 30_000 };

test('a link fills a form, and a talk starts only when the user confirms', async ({ desktop }) => {
  const { page } = await desktop.start();
  const open = (link: string) => desktop.startAgain([link]);
  await open('parley://start?preset=coach');
  const form = page.getByRole('dialog', { name: 'Start a talk?' });
  await expect(form).toContainText('Reading and pronunciation coach');
  await expect(form).toContainText('Demonstration');
  await form.getByRole('button', { name: 'Not now' }).click();
  await expect(form).toHaveCount(0);
  expect(await talkPhase(page)).toBe('idle');

  await open('parley://start?preset=coach');
  await form.getByRole('button', { name: 'Start talking' }).click();
  await expect.poll(() => talkPhase(page), patient).toBe('live');
});

const hostile = [
  'parley://start?preset=coach&server=wss://evil.example',
  'parley://start?url=wss://evil.example&token=x',
  'parley://start?preset=%3Cscript%3E',
  'parley://start?preset=nobody',
  'parley://stop',
  'parley://start/../settings',
  `parley://start?preset=${'a'.repeat(5000)}`,
  'PARLEY://START?preset=coach#x',
];

test('hostile links are refused in a sentence and change no setting', async ({ desktop }) => {
  const { page } = await desktop.start();
  const settings = () => readFile(join(desktop.home, 'state', 'settings.json'), 'utf8');
  const before = await settings();
  for (const link of hostile) {
    await desktop.startAgain([link]);
    const sheet = page.getByRole('dialog', { name: 'The link was not opened' });
    await expect(sheet).toContainText(/The link was not opened\. (?:Parley|It names)/);
    expect(await sheet.textContent()).not.toContain('evil');
    await sheet.getByRole('button', { name: 'Close' }).click();
    await expect(sheet).toHaveCount(0);
  }
  expect(await talkPhase(page)).toBe('idle');
  expect(await settings()).toBe(before);
});

test.describe('at the very first start', () => {
  const link = 'parley://start?preset=coach';
  const first = { settings: { firstRun: { done: false } } };

  test('a link opens its form over the first steps, which stay where they are', async ({
    desktop,
  }) => {
    const { page } = await desktop.start(first);
    await expect(page.getByRole('main', { name: 'First steps' })).toBeVisible();
    await desktop.startAgain([link]);
    const form = page.getByRole('dialog', { name: 'Start a talk?' });
    await expect(form).toContainText('Reading and pronunciation coach');
    expect(await talkPhase(page)).toBe('idle');
    await form.getByRole('button', { name: 'Not now' }).click();
    await expect(form).toHaveCount(0);
    await expect(page.getByRole('main', { name: 'First steps' })).toBeVisible();
    await page.getByRole('button', { name: 'Next' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Can it hear you?');
    expect(await talkPhase(page)).toBe('idle');
  });

  test('a confirmed link replaces the first steps with its talk', async ({ desktop }) => {
    const { page } = await desktop.start(first);
    await desktop.startAgain([link]);
    await page.getByRole('button', { name: 'Start talking' }).click();
    await expect.poll(() => talkPhase(page), patient).toBe('live');
    await waitUntilLive(page);
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'You ended the talk.',
      patient,
    );
  });
});
