import { expect, test } from '../fixtures/gallery-test.ts';

test('dismissing the notice of a new version marks it as seen, and Show leads to the release notes', async ({
  page,
  show,
  asked,
}) => {
  await show('updates-told');
  const line = page.getByRole('status').filter({ hasText: 'Parley 0.2.0 is ready.' });
  await expect(line).toBeVisible();
  await line.getByRole('button', { name: 'Dismiss' }).click();
  expect((await asked()).filter(({ name }) => name === 'updateSeen')).toHaveLength(1);
  await line.getByRole('button', { name: 'Show' }).click();
  await expect(page.getByRole('region', { name: 'What’s new in 0.2.0' })).toBeVisible();
});

test('the buttons ask for the new or the previous version, and wait for the end of a talk', async ({
  page,
  show,
  asked,
}) => {
  await show('updates-ready');
  await page.getByRole('button', { name: 'Restart now' }).click();
  await page.getByRole('button', { name: 'Go back to 0.0.9' }).click();
  await page.getByRole('button', { name: 'Check for updates' }).click();
  expect((await asked()).filter(({ name }) => /version|update/i.test(name))).toEqual([
    { name: 'switchVersion', input: { to: 'next' } },
    { name: 'switchVersion', input: { to: 'previous' } },
    { name: 'checkForUpdates' },
  ]);
  await show('updates-talking');
  await expect(page.getByText('will be downloaded after your talk')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Go back to 0.0.9' })).toBeDisabled();
  await expect(page.getByText('Parley can restart when your talk is over.')).toBeVisible();
});

test('Parley links to a download it cannot install, and shows nothing where updates are off', async ({
  page,
  show,
}) => {
  await show('updates-offered');
  const region = page.getByRole('region', { name: 'Updates' });
  await expect(region).toContainText('Download it, and replace this version with it.');
  await page.context().route('https://updates.example/**', (route) => route.fulfill({ body: '' }));
  const opened = page.waitForEvent('popup');
  await region.getByRole('button', { name: 'Download' }).click();
  expect((await opened).url()).toBe('https://updates.example/Parley.tar.gz');
  await show('updates-by-system');
  await expect(region.getByRole('button')).toHaveCount(0);
  await show('settings-about');
  await expect(region).toHaveCount(0);
});
