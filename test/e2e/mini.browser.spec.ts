import type { Page } from '@playwright/test';
import { expect, test } from '@playwright/test';
import { openGallery } from './fixtures/open-gallery.ts';
import type { OpenGallery } from './fixtures/open-gallery.ts';

let gallery: OpenGallery;
let page: Page;

test.beforeAll(async () => {
  gallery = await openGallery();
  ({ page } = gallery);
});

test.afterAll(() => gallery.close());

const show = () => page.evaluate(() => window.gallery?.show('mini-hold', 'light', 'en'));

test('the mini window has the same keys, and Control and W close it', async () => {
  await show();
  const asked = () =>
    page.evaluate(() => window.gallery?.asked().map(({ name, input }) => [name, input]));
  await page.locator('.mini-lines').click();
  await page.keyboard.press('Space');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+w');
  expect(await asked()).toEqual([
    ['talkKey', { key: 'press' }],
    ['talkKey', { key: 'release' }],
    ['interruptTalk', undefined],
    ['closeMini', undefined],
  ]);

  await test.step('and every control can be reached by Tab', async () => {
    await show();
    const reached: (string | null)[] = [];
    for (let step = 0; step < 6; step += 1) {
      await page.keyboard.press('Tab');
      reached.push(
        await page.evaluate(() => {
          const { activeElement: one } = document;
          return one?.getAttribute('aria-label') ?? one?.textContent ?? null;
        }),
      );
    }
    expect(reached).toEqual([
      'Open the large window',
      'Close',
      'Hold to talk',
      'Interrupt',
      'Mute',
      'End',
    ]);
  });
});
