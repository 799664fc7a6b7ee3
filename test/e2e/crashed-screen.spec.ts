import { expect, test } from './fixtures/host-test.ts';

test('a screen that crashes says so and can be retried while the others work', async ({
  page,
  running,
}) => {
  running.consoleWatch.allow(/planted|error occurred in/);
  await page.evaluate(() => {
    const real = Reflect.get(String.prototype, 'matchAll') as unknown;
    Reflect.set(globalThis, 'repair', () => Reflect.set(String.prototype, 'matchAll', real));
    Reflect.set(String.prototype, 'matchAll', () => {
      throw new Error('planted: what somebody has written');
    });
  });
  const places = page.getByRole('navigation', { name: 'Places' });
  await places.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Privacy' }).click();
  const broken = page.getByText('This part of the window crashed. Everything else works.');
  await expect(broken).toBeVisible();

  await page.getByRole('button', { name: 'Copy diagnostics' }).click();
  await expect(page.getByText('Copied.')).toBeVisible();
  await places.getByRole('button', { name: 'Talk' }).click();
  await expect(page.getByRole('button', { name: 'Start talking' })).toBeVisible();
  await expect(broken).toHaveCount(0);

  await places.getByRole('button', { name: 'Settings' }).click();
  await expect(broken).toBeVisible();
  await page.evaluate(() => (Reflect.get(globalThis, 'repair') as () => void)());
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'Privacy', level: 1 })).toBeVisible();
});

// The desktop app would open a file manager.
test('About shows where the log is @page', async ({ page }) => {
  const places = page.getByRole('navigation', { name: 'Places' });
  await places.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'About' }).click();
  await page.getByRole('button', { name: 'Show log folder' }).click();
  await expect(page.getByText(/It is in .*logs$/)).toBeVisible();
});
