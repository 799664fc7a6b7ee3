import type { Page } from '@playwright/test';
import { withFakeCamera } from './fixtures/fake-camera.ts';
import { expect, test } from './fixtures/host-test.ts';
import { startTalk, waitUntilLive } from './fixtures/pages/talk-page.ts';
import { skipWithoutSoundCard, speakSentence } from './fixtures/sound-card.ts';

const patient = { timeout: 30_000 };

test.describe('with a key to talk', () => {
  test.use({ stored: { firstRun: { done: true }, talking: { mode: 'hold' } } });

  test('the transmitted and answered speech is only that with the key held', async ({ page }) => {
    skipWithoutSoundCard();
    test.setTimeout(120_000);
    await startTalk(page);
    await speakSentence();
    await expect(page.getByText('Nobody is speaking')).toBeVisible();
    await expect(page.locator('.caption')).toHaveCount(0);

    await page.keyboard.down('Space');
    await expect(page.getByRole('button', { name: 'Parley hears you' })).toBeVisible(patient);
    await speakSentence();
    await page.keyboard.up('Space');
    await expect(page.getByRole('button', { name: 'Hold to talk' })).toBeVisible(patient);
    await expect(page.locator('.caption').first()).toHaveText(/\w+ \w+/, patient);
  });
});

test.describe('with a camera', () => {
  test.use({
    flags: withFakeCamera(),
  });

  test('the tile shows what the model saw, with detail and crop as chosen', async ({ page }) => {
    await page.getByRole('button', { name: 'Start with the camera' }).click();
    await waitUntilLive(page);
    const tile = page.getByRole('region', { name: 'Camera' });
    await tile.getByRole('button', { name: 'As Parley saw it' }).click();
    await expect(tile.getByText(/^517 × 387 · \d+ KB$/)).toBeVisible(patient);
    await expect.poll(() => colours(page), patient).toEqual(['red', 'blue']);

    await tile.getByRole('button', { name: 'Picture settings' }).click();
    await page.getByRole('slider', { name: 'Detail' }).focus();
    await page.keyboard.press('End');
    await expect(tile.getByText(/^640 × 480/)).toBeVisible(patient);
    await page.keyboard.press('Escape');

    await tile.getByRole('button', { name: 'Share only a part' }).click();
    const part = page.getByRole('group', { name: /^Part:/ });
    await expect(part).toBeFocused();
    for (let step = 0; step < 14; step += 1) await page.keyboard.press('ArrowRight');
    await page.getByRole('button', { name: 'Share this part' }).click();
    await expect(tile.getByText(/^320 × 240/)).toBeVisible(patient);
    // The preview is mirrored: its right half is the camera's left half.
    await expect.poll(() => colours(page), patient).toEqual(['red', 'red']);
  });
});

/** The colours of the left and right half of the picture that the model saw. */
function colours(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const picture = document.querySelector<HTMLImageElement>('.capture-picture img');
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [8, 1];
    const pen = canvas.getContext('2d', { willReadFrequently: true });
    if (picture === null || pen === null) return [];
    pen.drawImage(picture, 0, 0, 8, 1);
    return [1, 6].map((x) => {
      const [red = 0, green = 0, blue = 0] = pen.getImageData(x, 0, 1, 1).data;
      if (red > 150 && green < 90 && blue < 90) return 'red';
      if (blue > 150 && green < 90 && red < 90) return 'blue';
      return `${red} ${green} ${blue}`;
    });
  });
}
