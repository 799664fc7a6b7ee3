import { expect, test } from '../fixtures/host-test.ts';

const patient = { timeout: 30_000 };

test('a talk starts with a screen picked from a list, and a part of it can be chosen', async ({
  page,
}) => {
  await page.getByRole('button', { name: 'Start with the screen' }).click();
  const list = page.getByRole('dialog', { name: 'Which screen?' });
  await list.getByRole('listitem').getByRole('button').first().click(patient);
  const state = page.getByRole('region', { name: 'This talk' }).getByRole('status');
  await expect(state).toHaveText('Live', patient);
  const tile = page.getByRole('region', { name: 'What you share' });
  await tile.getByRole('button', { name: 'As Parley saw it' }).click();
  await expect(tile.getByText(/^\d+ × \d+ · \d+ KB/)).toBeVisible(patient);

  // A region is shared only once its part is chosen; giving up shares nothing.
  await tile.getByRole('button', { name: 'What to share' }).press('Enter');
  await page.getByRole('menuitemradio', { name: 'Part of a screen…' }).click();
  await page
    .getByRole('dialog', { name: 'Part of which screen?' })
    .getByRole('listitem')
    .getByRole('button')
    .first()
    .click(patient);
  await expect(page.getByRole('group', { name: /^Part:/ })).toBeVisible(patient);
  await page.keyboard.press('Escape');
  await expect(tile).toHaveCount(0);
});

test.describe('with a hidden window', () => {
  test.use({
    stored: {
      firstRun: { done: true },
      assistant: { generation: { chunkMs: 250 } },
      // Sends every picture, even of a still screen.
      vision: { budget: 5 },
    },
  });

  test('sharing continues with a worker as its timer', async ({ page }) => {
    await page.evaluate(() => {
      const sent = { count: 0 };
      Reflect.set(window, 'framesSent', sent);
      window.parley?.onNotice(({ name }) => {
        if (name === 'frameSent') sent.count += 1;
      });
    });
    const framesSent = () =>
      page.evaluate(() => (Reflect.get(window, 'framesSent') as { count: number }).count);
    await page.getByRole('button', { name: 'Start with the screen' }).click();
    const list = page.getByRole('dialog', { name: 'Which screen?' });
    await list.getByRole('listitem').getByRole('button').first().click(patient);
    await expect.poll(framesSent, patient).toBeGreaterThan(0);

    // Playwright keeps pages visible, so timers are not slowed here.
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { get: () => true });
    });
    await expect.poll(() => page.workers().length, patient).toBe(1);
    const before = await framesSent();
    await expect.poll(framesSent, patient).toBeGreaterThan(before + 2);
  });
});
