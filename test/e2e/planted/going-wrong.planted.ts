import { expect, test } from '../fixtures/host-test.ts';

test('only complains in the console', async ({ page }) => {
  await page.evaluate(() => {
    // eslint-disable-next-line no-console
    console.error('a planted complaint');
  });
});

test('complains without looking at the page', async ({ running }) => {
  await running.page.evaluate(() => {
    setTimeout(() => {
      throw new Error('a planted fault');
    });
    return new Promise((resolve) => setTimeout(resolve, 100));
  });
});

test('fails by itself', async ({ page }) => {
  expect(await page.title()).toBe('a planted title');
});

test('is as it should be', async ({ page }) => {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});
