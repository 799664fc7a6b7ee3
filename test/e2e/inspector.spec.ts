import { expect, test } from './fixtures/host-test.ts';
import { clipboardText } from './fixtures/pages/page-checks.ts';
import { startTalk } from './fixtures/pages/talk-page.ts';

const patient = { timeout: 20_000 };

test('the inspector shows, searches and pauses both directions of a talk, and stops when closed', async ({
  page,
}) => {
  await startTalk(page);
  await page.keyboard.press('Control+i');
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await expect(inspector).toBeFocused();
  const events = inspector.getByRole('listbox', { name: 'Events' });
  const rows = events.getByRole('option');
  await expect(rows.filter({ hasText: 'append' }).first()).toBeVisible(patient);
  await expect(rows.filter({ hasText: 'received' }).first()).toBeVisible(patient);
  await expect(inspector.getByText(/to wire \d+ ms/)).toBeVisible(patient);

  await inspector.getByRole('button', { name: 'Sent', exact: true }).click();
  await expect(rows.filter({ hasText: 'received' })).toHaveCount(0);
  await inspector.getByRole('searchbox').fill('append');
  await events.focus();
  await page.keyboard.press('End');
  const detail = inspector.getByRole('region', { name: 'Event' });
  // Spoken content is shown by its length only.
  await expect(detail.first()).toContainText(/‹\d+ characters›/);
  await detail.getByRole('button', { name: 'Copy' }).click();
  await expect(detail.getByRole('status')).toHaveText('Copied');
  const copied = await clipboardText(page);
  expect(copied).toBe(await detail.locator('pre').textContent());
  expect(JSON.parse(copied)).toHaveProperty('type');
  expect(copied).toContain('append');
  expect(copied).toMatch(/‹\d+ characters›/);
  expect(copied.length).toBeLessThan(2000);

  await inspector.getByRole('button', { name: 'Pause' }).click();
  const counts = inspector.locator('.wire-counts');
  const shown = async () => Number.parseInt((await counts.textContent()) ?? '', 10);
  const passed = async () =>
    Number(/of (\d+)/.exec((await counts.textContent()) ?? '')?.[1] ?? Number.NaN);
  const [paused, before] = [await shown(), await passed()];
  await expect.poll(passed, patient).toBeGreaterThan(before + 1);
  expect(await shown()).toBe(paused);

  await page.keyboard.press('Control+i');
  await expect(inspector).toHaveCount(0);
  // A reopened inspector starts empty, because nothing is recorded while it is closed.
  await page.getByRole('button', { name: 'Open the inspector' }).press('Enter');
  await expect(inspector).toBeVisible();
  expect(await passed()).toBeLessThan(before);
});
