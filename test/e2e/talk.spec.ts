import { expect, test } from './fixtures/host-test.ts';
import { openSection } from './fixtures/pages/settings-screen.ts';
import { startTalk, waitUntilLive } from './fixtures/pages/talk-page.ts';
import { skipWithoutSoundCard, speakSentence } from './fixtures/sound-card.ts';

const patient = { timeout: 30_000 };

test('a talk starts, ends and continues by keyboard alone', async ({ page }) => {
  test.setTimeout(120_000);
  const session = page.getByRole('region', { name: 'This talk' });
  await page.getByRole('button', { name: 'Start talking' }).press('Enter');
  await waitUntilLive(page);
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
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You ended the talk.', patient);
  await page.getByRole('button', { name: 'Continue' }).press('Enter');
  await waitUntilLive(page);
});

test('a talk starts muted if the setting says so, and can be unmuted', async ({ page }) => {
  test.setTimeout(120_000);
  await openSection(page, 'Talking');
  await page.getByRole('switch', { name: 'Start muted' }).click();
  await page.getByRole('navigation').first().getByRole('button', { name: 'Talk' }).click();
  await startTalk(page);
  await expect(page.getByText('You are muted')).toBeVisible();
  await page.getByRole('button', { name: 'Unmute' }).click();
  await expect(page.getByText('You are muted')).toBeHidden();
});

test('speech is answered with captions, and Escape interrupts the answer', async ({ page }) => {
  skipWithoutSoundCard();
  test.setTimeout(150_000);
  await startTalk(page);

  const captions = page.locator('.caption');
  await speakSentence();
  await expect(captions.first()).toHaveText(/\w+ \w+/, patient);
  await expect(page.locator('.caption-coming').first()).toBeVisible(patient);
  await page.keyboard.press('Escape');
  await expect(page.locator('.caption-cut').first()).toBeVisible(patient);
  await expect(page.getByText('Nobody is speaking')).toBeVisible(patient);
});
