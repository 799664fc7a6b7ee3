import { expect, test } from '../fixtures/gallery-test.ts';

test('captions stay during a reconnect, and the user can retry at once', async ({
  page,
  show,
  asked,
}) => {
  await show('reconnecting-after-words');
  await expect(page.locator('.caption').last()).toBeInViewport();
  await page.getByRole('button', { name: 'Try now' }).click();
  expect((await asked()).map(({ name }) => name)).toEqual(['networkBack']);
});

test('frequent controls are visible with their names, the rest is behind More', async ({
  page,
  show,
  asked,
}) => {
  for (const width of [320, 380, 900]) {
    await page.setViewportSize({ width, height: 680 });
    await show('live-parley');
    for (const name of ['Mute', 'Camera', 'Share', 'More', 'End']) {
      const button = page.getByRole('button', { name, exact: true });
      await expect(button).toBeInViewport({ ratio: 1 });
      await expect(button.getByText(name)).toBeVisible();
    }
  }
  const more = page.getByRole('dialog', { name: 'More' });
  await page.getByRole('button', { name: 'More' }).click();
  await more.getByRole('button', { name: 'Pause' }).click();
  await expect(more).toHaveCount(0);
  await page.getByRole('button', { name: 'More' }).click();
  await more.getByText('Mic mode').click();
  await more.getByRole('radio', { name: 'Hold Space', exact: true }).click();
  const done = (await asked()).filter(({ name }) => name.startsWith('set'));
  expect(done).toEqual([
    { name: 'setPaused', input: { paused: true } },
    { name: 'setTalking', input: { mode: 'hold' } },
  ]);
});
