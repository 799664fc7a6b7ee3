import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './fixtures/host-test.ts';
import { speakSentence, skipWithoutSoundCard } from './fixtures/sound-card.ts';

const patient = { timeout: 40_000 };

async function storeSettings(home: string, ownWords: string): Promise<void> {
  const state = join(home, 'state');
  await mkdir(state);
  const tools = { reminders: true, clock: true, talks: true };
  const settings = { version: 1, firstRun: { done: true }, privacy: { ownWords }, tools };
  await writeFile(join(state, 'settings.json'), JSON.stringify(settings));
}

test('a written request in a talk is asked for, and becomes a reminder that appears in time', async ({
  start,
  home,
}) => {
  test.setTimeout(180_000);
  await storeSettings(home, 'no');
  const { page } = await start();
  await page.getByRole('button', { name: 'Start talking' }).click();
  const session = page.getByRole('region', { name: 'This talk' });
  await expect(session.getByRole('status')).toHaveText('Live', patient);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Do what I asked' }).click();
  // Nobody spoke, so the request is written.
  const field = page.getByRole('textbox', { name: 'What should Parley do?' });
  await expect(page.getByText('Parley heard nothing lately.')).toBeVisible(patient);
  await field.fill('call set_reminder {"text":"call home","in_minutes":0.2}');
  await field.press('Enter');
  const request = page.getByRole('region', { name: 'You asked for' });
  await expect(request.getByRole('alert')).toHaveText(
    'Parley wants to use Set a reminder.',
    patient,
  );
  await expect(request.getByRole('button', { name: 'Allow in this talk' })).toBeVisible();
  // A click right after the question appeared is ignored, because it was meant for something else.
  await page.keyboard.press('Enter');
  await expect(request.getByRole('alert')).toBeVisible();
  await expect(async () => {
    await request.getByRole('button', { name: 'Allow once' }).click();
    await expect(request.getByRole('alert')).toBeHidden({ timeout: 500 });
  }).toPass();
  await expect(request).toContainText('The reminder is set.', patient);
  await expect(request).toContainText('voice knows this');
  await request.getByText('done', { exact: true }).click();
  await expect(request.locator('.tool-response')).toContainText('call home');
  await expect(page.getByText('Reminder: call home')).toBeVisible(patient);
  await expect(session.getByRole('status')).toHaveText('Live');
});

test('a key writes down the user’s last words for one request', async ({ start, home }) => {
  skipWithoutSoundCard();
  test.setTimeout(180_000);
  await storeSettings(home, 'no');
  const { page } = await start();
  await page.getByRole('button', { name: 'Start talking' }).click();
  const session = page.getByRole('region', { name: 'This talk' });
  await expect(session.getByRole('status')).toHaveText('Live', patient);
  const request = page.getByRole('region', { name: 'You asked for' }).last();
  // A busy machine loses pieces of the sentence in the sound card, so it is repeated.
  await expect(async () => {
    await speakSentence('hear');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Do what I asked');
    await page.keyboard.press('Enter');
    await expect(request).toContainText('I can hear you', { timeout: 10_000 });
  }).toPass({ timeout: 120_000 });
  await expect(page.locator('.own-phrase')).toHaveCount(0);
});
