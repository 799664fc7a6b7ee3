import { expect, test } from '../fixtures/gallery-test.ts';

test('the keyboard alone searches, walks the list and opens a talk', async ({
  page,
  show,
  inputs,
}) => {
  await page.setViewportSize({ width: 1200, height: 680 });
  await show('history-list');
  await page.keyboard.press('/');
  const field = page.getByRole('textbox', { name: 'Search' });
  await expect(field).toBeFocused();
  // A slash in the field is text.
  await page.keyboard.type('a/b');
  await expect(field).toHaveValue('a/b');
  await expect
    .poll(async () => (await inputs('searchHistory')).at(-1))
    .toEqual({ skip: 0, count: 200, filter: {}, query: 'a/b' });
  await page.keyboard.press('Escape');
  await expect(field).toHaveValue('');
  await page.keyboard.press('ArrowDown');
  const focused = page.locator('.history-open:focus');
  await expect(focused).toContainText('A keeper trims');
  await page.keyboard.press('ArrowDown');
  await expect(focused).toContainText('How far a lighthouse');
  await page.keyboard.press('End');
  await expect(page.locator('[data-index="45"] .history-open')).toBeFocused();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => inputs('talkRecord')).toEqual([{ id: 'light' }]);
  await page.keyboard.press('Control+f');
  await expect(field).toBeFocused();
});

test('a talk is renamed in the list, and Escape cancels', async ({ page, show, inputs }) => {
  await page.setViewportSize({ width: 1200, height: 680 });
  await show('history-list');
  await page.locator('[data-index="1"] .history-open').focus();
  await page.keyboard.press('F2');
  const name = page.getByRole('textbox', { name: 'New name' });
  await expect(name).toBeFocused();
  await name.fill('Not this');
  await page.keyboard.press('Escape');
  await expect(name).toHaveCount(0);
  expect(await inputs('renameHistory')).toEqual([]);
  await page.locator('[data-index="1"]').getByRole('button', { name: 'More about' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await name.fill('Lights');
  await page.keyboard.press('Enter');
  await expect(name).toHaveCount(0);
  expect(await inputs('renameHistory')).toEqual([{ kind: 'talk', id: 'light', title: 'Lights' }]);
});

test('Undo restores a deleted talk, and its recording goes along unless the user keeps it', async ({
  page,
  show,
  inputs,
}) => {
  await page.setViewportSize({ width: 1200, height: 680 });
  await show('history-list');
  // Other rows have the same title.
  const row = page
    .locator('.entry-row')
    .filter({ hasText: 'How far a lighthouse can be seen' })
    .filter({ hasText: '4 min' })
    .filter({ hasText: 'Pinned' });
  const bar = page.locator('.undo');
  await row.locator('.history-open').focus();
  await page.keyboard.press('Delete');
  await expect(row).toHaveCount(0);
  await expect(bar).toContainText(
    '“How far a lighthouse can be seen” and its recording were deleted.',
  );
  await bar.getByRole('button', { name: 'Undo' }).click();
  await expect(row).toHaveCount(1);
  expect(await inputs('removeHistory')).toEqual([]);

  await row.getByRole('button', { name: /^More about/ }).click();
  await page.getByRole('menuitem', { name: 'Delete the text only' }).click();
  await expect(bar).toContainText('“How far a lighthouse can be seen” was deleted.');
  await bar.getByRole('button', { name: 'Dismiss' }).click();
  expect(await inputs('removeHistory')).toEqual([
    { list: [{ kind: 'talk', id: 'light' }], tapes: false },
  ]);
});

test('several selected talks are deleted together', async ({ page, show, inputs }) => {
  await page.setViewportSize({ width: 1200, height: 680 });
  await show('history-choosing');
  const bar = page.getByRole('region', { name: 'Selected' });
  await expect(bar).toContainText('2 selected');
  await page.getByRole('checkbox', { name: 'Vegetables' }).click();
  await page.getByRole('checkbox', { name: 'Verbs' }).click();
  await expect(bar).toContainText('2 selected');
  await bar.getByRole('button', { name: 'Delete' }).click();
  await expect(page.locator('.undo')).toContainText('Deleted with their recordings: 2.');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  expect(await inputs('removeHistory')).toEqual([
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

test('a picture is shown at its time, and a click enlarges it', async ({ page, show }) => {
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

test('a talk in a narrow window replaces the list, and a button leads back', async ({
  page,
  show,
}) => {
  await page.setViewportSize({ width: 380, height: 700 });
  await show('history-talk');
  await expect(page.getByRole('textbox', { name: 'Search' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Back to the list' }).click();
  await expect(page.getByRole('textbox', { name: 'Search' })).toBeVisible();
});

test('the keyboard alone opens the comparison and returns to the talk', async ({
  page,
  show,
  inputs,
}) => {
  await show('history-talk');
  const button = page.getByRole('button', { name: 'Compare…' });
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: /Compare/u })).toBeVisible();
  await expect.poll(() => inputs('comparableTapes')).toEqual([{ tape: 'light' }]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(button).toBeFocused();
});

test('arrow keys choose another recording', async ({ page, show, inputs }) => {
  await show('compare-choosing');
  const others = page.getByRole('group', { name: 'With another recording' });
  await others.getByRole('radio', { checked: true }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Compare', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect.poll(() => inputs('compareTapes')).toEqual([{ tape: 'light', other: 'morning' }]);
  await expect(page.getByRole('status')).toHaveText('Comparing…');
});

test('a running rerun can be stopped', async ({ page, show, inputs }) => {
  await show('compare-running');
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '44');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect.poll(() => inputs('stopRerun')).toHaveLength(1);
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

for (const [state, label] of [
  ['history-found', 'Search'],
  ['chat-found', 'Search chats'],
  ['settings-search', 'Find a setting'],
] as const) {
  test(`a button and Escape clear a search and keep its focus: ${state}`, async ({
    page,
    show,
  }) => {
    await page.setViewportSize({ width: 1200, height: 680 });
    await show(state);
    const field = page.getByRole('search').getByRole('textbox', { name: label });
    await expect(field).not.toHaveValue('');
    await page.getByRole('button', { name: 'Clear search' }).click();
    await expect(field).toHaveValue('');
    await expect(field).toBeFocused();
    await page.keyboard.type('more');
    // During composition Escape belongs to the input method.
    await field.dispatchEvent('keydown', { key: 'Escape', isComposing: true });
    await expect(field).toHaveValue('more');
    await page.keyboard.press('Escape');
    await expect(field).toHaveValue('');
    await expect(field).toBeFocused();
  });
}
