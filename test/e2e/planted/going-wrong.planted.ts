import { expect, test } from '../fixtures/host-test.ts';

test('logs an error to the console', async ({ page }) => {
  await page.evaluate(() => {
    // eslint-disable-next-line no-console
    console.error('a planted complaint');
  });
});

test('throws in the page without using the page fixture', async ({ running }) => {
  await running.page.evaluate(() => {
    setTimeout(() => {
      throw new Error('a planted fault');
    });
    return new Promise((resolve) => setTimeout(resolve, 100));
  });
});

test('fails on an assertion', async ({ page }) => {
  expect(await page.title()).toBe('a planted title');
});

test('passes', async ({ page }) => {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});
