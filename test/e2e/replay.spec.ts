import type { Page } from '@playwright/test';
import { expect, test } from './fixtures/host-test.ts';

const replay = (page: Page) => page.getByRole('main', { name: 'Replay' });
const place = (page: Page) => replay(page).getByRole('slider', { name: 'Place in the talk' });
const secondsOf = async (page: Page): Promise<number> =>
  Number(await place(page).getAttribute('aria-valuenow'));

async function openExample(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'See an example' }).click();
  await page.getByRole('menuitem', { name }).click();
  await expect(place(page)).toBeVisible();
}

test('an example is opened, plays, is gone about in by words and keys, and closed', async ({
  page,
}) => {
  await openExample(page, 'A talk, with an interruption');
  await expect(replay(page).getByRole('heading', { name: 'Replay' })).toContainText('interruption');
  await expect(replay(page).getByRole('button', { name: 'Pause' })).toBeVisible();
  const caption = replay(page).locator('.caption').first();
  await expect(caption).toHaveText(/\w+ \w+ \w+/, { timeout: 30_000 });
  await page.keyboard.press('Space');
  await expect(replay(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible();

  // At the end all was heard; a word early in the first answer leads back to where it was heard.
  await page.keyboard.press('End');
  await expect(replay(page).getByRole('heading', { name: /talk/ }).last()).toBeVisible();
  const end = await secondsOf(page);
  const first = replay(page).locator('.caption').first();
  const box = await first.boundingBox();
  if (box === null) throw new Error('There is no caption.');
  await first.click({ position: { x: 60, y: 12 } });
  await expect.poll(() => secondsOf(page)).toBeLessThan(end - 5);
  const word = await secondsOf(page);
  expect(word).toBeGreaterThan(0);
  await expect(first.locator('.caption-coming')).toBeVisible();
  const heard = await first.evaluate((line) => line.firstChild?.textContent ?? '');
  expect(heard.length).toBeLessThan(30);

  await page.keyboard.press('ArrowRight');
  await expect.poll(() => secondsOf(page)).toBe(word + 5);
  await page.keyboard.press('Home');
  await expect.poll(() => secondsOf(page)).toBe(0);
  await page.keyboard.press(']');
  await expect.poll(() => secondsOf(page)).toBeGreaterThan(0);

  await page.getByRole('button', { name: /^Speed/ }).click();
  await page.getByRole('menuitemradio', { name: '8×' }).click();
  await expect(page.getByText('At this speed there is no sound.')).toBeVisible();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Play again' })).toBeVisible({ timeout: 30_000 });
  await expect(replay(page).getByRole('button', { name: 'Start a new talk' })).toHaveCount(0);

  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Start talking' })).toBeVisible();
});
