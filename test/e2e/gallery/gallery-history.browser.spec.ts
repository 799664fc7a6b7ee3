import { expect, test } from '../fixtures/gallery-test.ts';
import type { Asked } from '../fixtures/gallery-test.ts';

const inputs = (asked: readonly Asked[], name: string) =>
  asked.filter((one) => one.name === name).map(({ input }) => input);

test('by keys alone: to the search, into the list, along its rows, and one is opened', async ({
  page,
  show,
  asked,
}) => {
  await page.setViewportSize({ width: 1200, height: 680 });
  await show('history-list');
  await page.keyboard.press('/');
  const field = page.getByRole('textbox', { name: 'Search' });
  await expect(field).toBeFocused();
  // A slash can be looked for, too.
  await page.keyboard.type('a/b');
  await expect(field).toHaveValue('a/b');
  await expect
    .poll(async () => inputs(await asked(), 'searchHistory').at(-1))
    .toEqual({ skip: 0, count: 200, filter: {}, query: 'a/b' });
  await page.keyboard.press('Escape');
  await expect(field).toHaveValue('');
  await page.keyboard.press('ArrowDown');
  const focused = page.locator('.kept-open:focus');
  await expect(focused).toContainText('A keeper trims');
  await page.keyboard.press('ArrowDown');
  await expect(focused).toContainText('How far a lighthouse');
  await page.keyboard.press('End');
  await expect(page.locator('[data-index="45"] .kept-open')).toBeFocused();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(async () => inputs(await asked(), 'talkRecord')).toEqual([{ id: 'light' }]);
  await page.keyboard.press('Control+f');
  await expect(field).toBeFocused();
});

test('one is renamed in its place; Escape leaves its name', async ({ page, show, asked }) => {
  await page.setViewportSize({ width: 1200, height: 680 });
  await show('history-list');
  await page.locator('[data-index="1"] .kept-open').focus();
  await page.keyboard.press('F2');
  const name = page.getByRole('textbox', { name: 'New name' });
  await expect(name).toBeFocused();
  await name.fill('Not this');
  await page.keyboard.press('Escape');
  await expect(name).toHaveCount(0);
  expect(inputs(await asked(), 'renameHistory')).toEqual([]);
  await page.locator('[data-index="1"]').getByRole('button', { name: 'More about' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await name.fill('Lights');
  await page.keyboard.press('Enter');
  await expect(name).toHaveCount(0);
  expect(inputs(await asked(), 'renameHistory')).toEqual([
    { kind: 'talk', id: 'light', title: 'Lights' },
  ]);
});

test('what is deleted is asked about once, its tape with it unless that is to stay', async ({
  page,
  show,
  asked,
}) => {
  await page.setViewportSize({ width: 1200, height: 680 });
  await show('history-list');
  await page.locator('[data-index="1"] .kept-open').focus();
  await page.keyboard.press('Delete');
  const sheet = page.getByRole('dialog');
  await expect(sheet).toContainText('Delete “How far a lighthouse can be seen” permanently?');
  await page.keyboard.press('Escape');
  expect(inputs(await asked(), 'removeHistory')).toEqual([]);
  await page.keyboard.press('Delete');
  await sheet.getByRole('switch', { name: 'Delete the recording, too' }).click();
  await sheet.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(sheet).toHaveCount(0);
  expect(inputs(await asked(), 'removeHistory')).toEqual([
    { list: [{ kind: 'talk', id: 'light' }], tapes: false },
  ]);
});

test('several are ticked and deleted together', async ({ page, show, asked }) => {
  await page.setViewportSize({ width: 1200, height: 680 });
  await show('history-choosing');
  const bar = page.getByRole('region', { name: 'Selected' });
  await expect(bar).toContainText('2 selected');
  await page.getByRole('checkbox', { name: 'Vegetables' }).click();
  await page.getByRole('checkbox', { name: 'Verbs' }).click();
  await expect(bar).toContainText('2 selected');
  await bar.getByRole('button', { name: 'Delete' }).click();
  const sheet = page.getByRole('dialog');
  await expect(sheet).toContainText('Delete these permanently: 2?');
  await sheet.getByRole('button', { name: 'Delete permanently' }).click();
  expect(inputs(await asked(), 'removeHistory')).toEqual([
    {
      list: [
        { kind: 'talk', id: 'light' },
        { kind: 'talk', id: 'market' },
      ],
      tapes: true,
    },
  ]);
  await expect(bar).toHaveCount(0);
});

test('a picture is where it was, and a click shows all of it', async ({ page, show }) => {
  await page.setViewportSize({ width: 1200, height: 900 });
  await show('history-talk');
  const picture = page.getByRole('button', { name: 'What Parley saw at 1:02' });
  await expect(picture.getByRole('img')).toBeVisible();
  await picture.click();
  const viewer = page.getByRole('dialog');
  await expect(viewer).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(viewer).toHaveCount(0);
});

test('in a narrow window a talk stands in the place of the list, and leads back to it', async ({
  page,
  show,
}) => {
  await page.setViewportSize({ width: 380, height: 700 });
  await show('history-talk');
  await expect(page.getByRole('textbox', { name: 'Search' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Back to the list' }).click();
  await expect(page.getByRole('textbox', { name: 'Search' })).toBeVisible();
});
