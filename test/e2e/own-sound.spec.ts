import { listenToSpeaker } from '../fakes/virtual-card.ts';
import { expect, test } from './fixtures/host-test.ts';
import { openSection } from './fixtures/pages/settings-screen.ts';
import { skipWithoutSoundCard, speakSentence } from './fixtures/sound-card.ts';

const patient = { timeout: 25_000 };

test('the user can hear themselves as the microphone and as the server does, by keyboard', async ({
  page,
}) => {
  skipWithoutSoundCard();
  await openSection(page, 'Sound');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await button('Record five seconds').focus();
  await page.keyboard.press('Enter');
  const prompt = page.getByRole('status').filter({ hasText: 'Speak now…' });
  await expect(prompt).toBeVisible(patient);
  await expect(button('As the microphone hears you')).toHaveCount(0);
  await speakSentence('hello');
  const verdict = page.getByRole('status').filter({ hasText: 'Now listen to both.' });
  await expect(verdict).toBeVisible(patient);
  // Noise reduction and level are off by default, and the page says so.
  await expect(page.getByText('Both sound the same now.')).toBeVisible();

  for (const name of ['As the microphone hears you', 'As the server hears you']) {
    const speaker = listenToSpeaker(16_000);
    await page.keyboard.press('Tab');
    await expect(button(name)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByText('Playing…')).toBeVisible(patient);
    await speaker.waitForLevel(0.05);
    await speaker.end();
    await expect(page.getByText('Playing…')).toHaveCount(0, patient);
  }

  await openSection(page, 'Voices');
  await openSection(page, 'Sound');
  await expect(button('Record five seconds')).toBeVisible();
  await expect(button('As the server hears you')).toHaveCount(0);
});

test('a silent recording is reported and cannot be played', async ({ page }) => {
  skipWithoutSoundCard();
  await openSection(page, 'Sound');
  await page.getByRole('button', { name: 'Record five seconds' }).click();
  await expect(page.getByText(/^Nothing was heard\./)).toBeVisible(patient);
  await expect(page.getByRole('button', { name: 'As the server hears you' })).toHaveCount(0);
});
