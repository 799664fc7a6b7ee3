import { listenToSpeaker } from '../fakes/virtual-card.ts';
import { expect, test } from './fixtures/host-test.ts';
import { openSection } from './fixtures/pages/settings-screen.ts';
import { skipWithoutSoundCard } from './fixtures/skip-without-sound-card.ts';
import { speakSentence } from './fixtures/pages/speak-sentence.ts';

/** A sound card has to wake up. */
const patient = { timeout: 25_000 };

test('one hears oneself, as the microphone does and as the server does, by keyboard', async ({
  page,
}) => {
  skipWithoutSoundCard();
  await openSection(page, 'Sound');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await button('Record five seconds').focus();
  await page.keyboard.press('Enter');
  const said = page.getByRole('status').filter({ hasText: 'Speak now…' });
  await expect(said).toBeVisible(patient);
  await expect(button('As the microphone hears you')).toHaveCount(0);
  await speakSentence('hello');
  const verdict = page.getByRole('status').filter({ hasText: 'Now listen to both.' });
  await expect(verdict).toBeVisible(patient);
  // Nothing is done about noise and loudness at first, and that is said.
  await expect(page.getByText('Both sound the same now.')).toBeVisible();

  for (const name of ['As the microphone hears you', 'As the server hears you']) {
    const ears = listenToSpeaker(16_000);
    await page.keyboard.press('Tab');
    await expect(button(name)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByText('Playing…')).toBeVisible(patient);
    await ears.waitForLevel(0.05);
    await ears.end();
    await expect(page.getByText('Playing…')).toHaveCount(0, patient);
  }

  // Who leaves the page leaves nothing behind.
  await openSection(page, 'Voices');
  await openSection(page, 'Sound');
  await expect(button('Record five seconds')).toBeVisible();
  await expect(button('As the server hears you')).toHaveCount(0);
});

test('who says nothing is told so, and has nothing to hear', async ({ page }) => {
  skipWithoutSoundCard();
  await openSection(page, 'Sound');
  await page.getByRole('button', { name: 'Record five seconds' }).click();
  await expect(page.getByText(/^Nothing was heard\./)).toBeVisible(patient);
  await expect(page.getByRole('button', { name: 'As the server hears you' })).toHaveCount(0);
});
