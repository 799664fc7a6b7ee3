import { expect, test } from '../fixtures/gallery-test.ts';

test('the shortcut list opens by key and by command, and returns the focus', async ({
  page,
  show,
}) => {
  await show('live-nobody');
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  const mute = page.getByRole('button', { name: 'Mute' });
  await mute.focus();
  for (const key of ['?', 'F1']) {
    await page.keyboard.press(key);
    await expect(list).toBeVisible();
    await expect(list.getByText('Ctrl K')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(list).toHaveCount(0);
    await expect(mute).toBeFocused();
  }

  await test.step('the list and the command palette replace each other', async () => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('shortcuts');
    await page.keyboard.press('Enter');
    await expect(list).toBeVisible();
    await expect(list.getByRole('button', { name: 'Close' })).toBeFocused();
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox')).toBeFocused();
    await expect(list).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(mute).toBeFocused();
  });
});

test('Escape closes the shortcut list without interrupting', async ({ page, show, asked }) => {
  await show('live-parley');
  await page.keyboard.press('F1');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await asked()).toEqual([]);
});

test('a question mark typed into a field is text', async ({ page, show }) => {
  await show('chat-full');
  const field = page.getByRole('textbox', { name: 'Message', exact: true });
  await field.focus();
  await page.keyboard.type('Why?');
  await expect(field).toHaveValue('Why?');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('F1');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
});

test('no shortcut list opens over a question', async ({ page, show }) => {
  for (const key of ['F1', '?']) {
    await show('settings-privacy-asked');
    await page.keyboard.press(key);
    await expect(page.getByText('Keyboard shortcuts')).toHaveCount(0);
    await expect(page.getByRole('dialog', { name: /^Delete / })).toBeVisible();
  }
});

test('the standard shortcuts open a new chat, settings, screens and search', async ({
  page,
  show,
  asked,
}) => {
  await show('idle');
  await page.keyboard.press('Control+,');
  await expect(page.getByRole('main', { name: 'Settings' })).toBeVisible();
  await page.keyboard.press('Control+f');
  await expect(page.getByRole('textbox', { name: 'Find a setting' })).toBeFocused();
  await page.keyboard.press('Control+3');
  await expect(page.getByRole('main', { name: 'History' })).toBeVisible();
  await page.keyboard.press('Control+n');
  await expect(page.getByRole('main', { name: 'Chat' })).toBeVisible();
  expect((await asked()).map(({ name }) => name)).toContain('beginChat');
  await expect(page.getByRole('textbox', { name: 'Message', exact: true })).toBeFocused();
});

test('a deleted voice disappears at once, and Undo restores it', async ({ page, show, asked }) => {
  const removals = async () => (await asked()).filter(({ name }) => name === 'removeVoice');
  await show('settings-voices');
  const rows = page.locator('.voice');
  const before = await rows.count();
  const remove = rows.first().getByRole('button', { name: 'Remove' });
  await remove.click();
  await expect(rows).toHaveCount(before - 1);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(rows).toHaveCount(before);
  expect(await removals()).toEqual([]);
  await remove.click();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  expect(await removals()).toHaveLength(1);
});

test('a deleted message and its answer disappear at once, and Undo restores them', async ({
  page,
  show,
  asked,
}) => {
  const removals = async () => (await asked()).filter(({ name }) => name === 'removeChatTurn');
  await show('chat-full');
  const turns = page.locator('.turn:visible');
  const before = await turns.count();
  await page.locator('.question').first().getByRole('button', { name: 'Delete' }).click();
  await expect(turns).toHaveCount(before - 2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(turns).toHaveCount(before);
  expect(await removals()).toEqual([]);
});

test('a removed server disappears at once, and Undo restores it', async ({ page, show, asked }) => {
  const names = async () => (await asked()).map(({ name }) => name);
  await show('settings-servers');
  const servers = page.locator('.server');
  const before = await servers.count();
  await page.getByRole('button', { name: /^Edit/ }).first().click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.locator('.undo')).toContainText('was removed.');
  await expect(servers).toHaveCount(before - 1);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(servers).toHaveCount(before);
  expect(await names()).not.toContain('removeEndpoint');
});

test('the guide opens by command, can be searched, and closes on Escape', async ({
  page,
  show,
}) => {
  await show('idle');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('manual');
  await page.keyboard.press('Enter');
  const guide = page.getByRole('dialog', { name: 'Guide' });
  await expect(guide.getByRole('heading', { name: 'Install Parley and open it' })).toBeVisible();
  await expect(guide.locator('img')).toHaveCount(16);
  await guide.getByRole('button', { name: 'If something goes wrong' }).click();
  await expect(guide.getByRole('heading', { name: 'If something goes wrong' })).toBeInViewport();
  await expect
    .poll(() =>
      guide
        .locator('img')
        .last()
        .evaluate((img: HTMLImageElement) => img.naturalWidth),
    )
    .toBe(900);
  await guide.getByLabel('Search the guide').fill('bindsym');
  await expect(guide.getByRole('heading', { level: 3 })).toHaveText(['Talk with a key']);
  expect(
    await page.evaluate(() => [...(CSS.highlights.get('guide-found') ?? [])].map(String)),
  ).toEqual(['bindsym', 'bindsym']);
  await page.keyboard.press('Escape');
  await expect(guide.getByLabel('Search the guide')).toHaveValue('');
  await page.keyboard.press('Escape');
  await expect(guide).toHaveCount(0);
});
