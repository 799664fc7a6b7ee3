import { expect, test } from './fixtures/host-test.ts';
import { startTalk, waitUntilLive } from './fixtures/pages/talk-page.ts';
import { skipWithoutSoundCard, speakSentence } from './fixtures/sound-card.ts';

test('a talk starts, ends and continues by keyboard alone', async ({ page }) => {
  const session = page.getByRole('region', { name: 'This talk' });
  await page.getByRole('button', { name: 'Start talking' }).press('Enter');
  await waitUntilLive(page);
  await expect(page.getByRole('region', { name: 'Controls' })).toBeFocused();
  // No time limit is shown, because another session follows.
  await expect(session).not.toContainText(/\d+:\d\d left/);
  await page.getByRole('button', { name: 'Mute' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Unmute' })).toBeFocused();
  await expect(page.getByText('You are muted')).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('hold space');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Hold to talk' })).toBeVisible();

  await page.getByRole('button', { name: 'End', exact: true }).press('Enter');
  await expect(page.getByRole('heading', { name: 'You ended the talk.' })).toBeFocused();
  await page.getByRole('button', { name: 'Continue' }).press('Enter');
  await waitUntilLive(page);
});

test('speech is answered with captions, and Escape interrupts the answer', async ({ page }) => {
  skipWithoutSoundCard();
  await startTalk(page);

  const captions = page.locator('.caption');
  await speakSentence();
  await expect(captions.first()).toHaveText(/\w+ \w+/);
  await expect(page.locator('.caption-coming').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.locator('.caption-cut').first()).toBeVisible();
  await expect(page.getByText('Nobody is speaking')).toBeVisible();
});

test('a message typed during a talk is answered in writing, and the talk continues @page @nightly', async ({
  page,
}) => {
  await page.getByRole('button', { name: 'Start talking' }).click();
  const more = page.getByRole('button', { name: 'More' });
  await expect(more).toBeVisible();
  await more.click();
  await page.getByRole('button', { name: 'Type a message' }).click();
  const field = page.getByRole('textbox', { name: 'Type a message' });
  await expect(field).toBeFocused();
  await field.fill('What can you do?');
  await field.press('Enter');
  const typing = page.getByRole('region', { name: 'Type a message' });
  await expect(typing.locator('.typing-question')).toHaveText('What can you do?');
  await expect(typing.locator('.typing-answer p').first()).not.toBeEmpty();
  await expect(field).toHaveValue('');
  await expect(page.getByRole('button', { name: 'Mute' })).toBeVisible();
  await typing.getByRole('button', { name: 'Open in Chat' }).click();
  await expect(page.getByRole('main', { name: 'Chat' })).toContainText('What can you do?');
});

test.describe('with a key to talk', () => {
  test.use({ stored: { firstRun: { done: true }, talking: { mode: 'hold' } } });

  test('only speech with the key held is transmitted and answered', async ({ page }) => {
    skipWithoutSoundCard();
    await startTalk(page);
    await speakSentence();
    await expect(page.getByText('Nobody is speaking')).toBeVisible();
    await expect(page.locator('.caption')).toHaveCount(0);

    await page.keyboard.down('Space');
    await expect(page.getByRole('button', { name: 'Parley hears you' })).toBeVisible();
    await speakSentence();
    await page.keyboard.up('Space');
    await expect(page.getByRole('button', { name: 'Hold to talk' })).toBeVisible();
    await expect(page.locator('.caption').first()).toHaveText(/\w+ \w+/);
  });
});
