import { expect, test } from '../fixtures/gallery-test.ts';
import type { GalleryRequest } from '../fixtures/gallery-test.ts';

const inputs = (asked: readonly GalleryRequest[], name: string) =>
  asked.filter((request) => request.name === name).map(({ input }) => input);

test('the keyboard alone opens the comparison and returns to the talk', async ({
  page,
  show,
  asked,
}) => {
  await show('history-talk');
  const button = page.getByRole('button', { name: 'Compare…' });
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: /Compare/u })).toBeVisible();
  await expect
    .poll(async () => inputs(await asked(), 'comparableTapes'))
    .toEqual([{ tape: 'light' }]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(button).toBeFocused();
});

test('arrow keys choose another recording', async ({ page, show, asked }) => {
  await show('compare-choosing');
  const others = page.getByRole('group', { name: 'With another recording' });
  await others.getByRole('radio', { checked: true }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Compare', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect
    .poll(async () => inputs(await asked(), 'compareTapes'))
    .toEqual([{ tape: 'light', other: 'morning' }]);
  await expect(page.getByRole('status')).toHaveText('Comparing…');
});

test('a running rerun can be stopped', async ({ page, show, asked }) => {
  await show('compare-running');
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '44');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect.poll(async () => inputs(await asked(), 'stopRerun')).toHaveLength(1);
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeDisabled();
});

test('two answers are side by side, and in a narrow window one below the other', async ({
  page,
  show,
}) => {
  const boxes = async () => {
    const list = page.getByRole('list', { name: 'Answers side by side' });
    const answers = list.locator('li').first().locator('.compare-answer');
    return [await answers.nth(0).boundingBox(), await answers.nth(1).boundingBox()] as const;
  };
  await page.setViewportSize({ width: 900, height: 680 });
  await show('compare-differs');
  const [one, other] = await boxes();
  expect(other?.y).toBe(one?.y);
  expect(other?.x).toBeGreaterThan(one?.x ?? Infinity);
  await page.setViewportSize({ width: 380, height: 760 });
  const [above, below] = await boxes();
  expect(below?.x).toBe(above?.x);
  expect(below?.y).toBeGreaterThan(above?.y ?? Infinity);
});
