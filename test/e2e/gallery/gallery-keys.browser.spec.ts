import { expect, test } from '../fixtures/gallery-test.ts';

test('a key is recorded by pressing it, and the user decides about a taken one', async ({
  page,
  show,
  asked,
}) => {
  await show('settings-keys');
  const row = (name: string) => page.locator('.row').filter({ hasText: name });
  const pause = row('Nothing is sent until you press it again');
  const change = pause.getByRole('button', { name: 'Change' });

  await test.step('a free key is set at once', async () => {
    await change.click();
    await page.keyboard.press('F6');
    await expect(pause.locator('kbd')).toHaveText('F6');
    expect(await asked()).toEqual([{ name: 'changeSettings', input: { keys: { pause: 'F6' } } }]);
  });

  await test.step('a taken key can stay where it is', async () => {
    await pause.getByRole('button', { name: 'Press the new key' }).or(change).click();
    await page.keyboard.press('Control+k');
    const conflict = pause.getByRole('alert').filter({ hasText: 'already used' });
    await expect(conflict).toContainText('Ctrl + K is already used for: Commands.');
    await expect(page.getByRole('combobox')).toHaveCount(0);
    await pause.getByRole('button', { name: 'Keep it there' }).click();
    await expect(conflict).toHaveCount(0);
    await expect(pause.locator('kbd')).toHaveText('F6');
  });

  await test.step('a taken key can move, and its owner has none', async () => {
    await change.click();
    await page.keyboard.press('Control+k');
    await pause.getByRole('button', { name: 'Use it here' }).click();
    await expect(pause.locator('kbd')).toHaveText('Ctrl + K');
    await expect(row('Find anything by typing').locator('kbd')).toHaveText('no key');
  });

  await test.step('an unusable key is refused in a sentence, and Escape cancels', async () => {
    await change.click();
    await page.keyboard.press('ArrowUp');
    await expect(pause.getByRole('alert').first()).toContainText('moves through the window');
    await page.keyboard.press('Escape');
    await expect(change).toHaveText('Change');
    await expect(pause.locator('kbd')).toHaveText('Ctrl + K');
  });

  await test.step('reset restores the default', async () => {
    await pause.getByRole('button', { name: 'Pause: reset' }).click();
    await expect(pause.locator('kbd')).toHaveText('no key');
  });
});

test('the key of an action is refused elsewhere, and an action gets no key that is taken', async ({
  page,
  show,
  asked,
}) => {
  await show('settings-cursor');
  const form = page.locator('.cursor-action-form');
  const askKey = page.locator('.row').filter({ hasText: 'Opens the small window' });

  await test.step('an action gets no taken key', async () => {
    await page.getByRole('button', { name: 'Edit Explain' }).click();
    await form.getByRole('button', { name: 'Change' }).click();
    await page.keyboard.press('Control+k');
    await expect(form.getByRole('alert')).toHaveText('Ctrl + K is already used for: Commands.');
    await page.keyboard.press('Control+F7');
    await expect(form.getByRole('alert')).toHaveCount(0);
    await form.getByRole('button', { name: 'Save' }).click();
  });

  await test.step('its key is named elsewhere, and can be taken from it', async () => {
    await askKey.getByRole('button', { name: 'Change' }).click();
    await page.keyboard.press('Control+F7');
    const conflict = askKey.getByRole('alert').filter({ hasText: 'already used' });
    await expect(conflict).toContainText('Ctrl + F7 is already used for: Action “Explain”.');
    await askKey.getByRole('button', { name: 'Use it here' }).click();
    await expect(askKey.locator('kbd')).toHaveText('Ctrl + F7');
    await page.getByRole('button', { name: 'Edit Explain' }).click();
    await expect(form.locator('kbd')).toHaveText('no key');
    const changes = (await asked()).filter(({ name }) => name === 'changeSettings');
    expect(changes.at(-1)?.input).toMatchObject({ cursor: { askKey: 'Control+F7' } });
  });
});

test('the configured keys work and are listed', async ({ page, show, asked }) => {
  await show('live-other-keys');
  const pressed = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
    return (await asked()).map(({ name }) => name);
  };
  expect(await pressed('Escape', 'F7', 'F6', 'Control+Shift+m')).toEqual([
    'interruptTalk',
    'setPaused',
    'setMuted',
  ]);
  // A button focused by keyboard takes only Space and Enter.
  await page.getByRole('button', { name: 'Interrupt' }).focus();
  await page.keyboard.press('Tab');
  expect((await pressed('F7')).slice(3)).toEqual(['interruptTalk']);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('F2');
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(list.getByText('F7')).toBeVisible();
  await expect(list.getByText('Ctrl + F8')).toBeVisible();
});

test('the global key is off by default, explains itself, and refuses typing keys', async ({
  page,
  show,
  asked,
}) => {
  await show('settings-talking');
  await expect(page.getByText('listens for this key only')).toBeVisible();
  await page.getByRole('switch', { name: 'A key for all programs' }).click();
  const row = page.locator('.row').filter({ hasText: 'It works like the talk key' });
  await row.getByRole('button', { name: 'Change' }).click();
  await page.keyboard.press('a');
  await expect(row.getByRole('alert').first()).toContainText('is for typing');
  await page.keyboard.press('Control+F8');
  await expect(row.locator('kbd')).toHaveText('Ctrl + F8');
  expect((await asked()).filter(({ name }) => name === 'changeSettings')).toEqual([
    { name: 'changeSettings', input: { talking: { everywhere: true } } },
    { name: 'changeSettings', input: { talking: { globalKey: 'Control+F8' } } },
  ]);
});

test('the key test asks for the key and shows when it arrived', async ({ page, show, asked }) => {
  await show('settings-global-key-uiohook');
  await expect(page.getByText('Last heard at 10:42:07')).toBeVisible();
  await page.getByRole('button', { name: 'Start the test' }).click();
  await expect(page.getByText('Press Ctrl + F8 now, in another program…')).toBeVisible();
  expect((await asked()).map(({ name }) => name)).toContain('testGlobalKey');
  await show('settings-global-key-silent');
  await expect(page.getByText('parley ptt toggle')).toBeVisible();
  await show('settings-global-key-unavailable');
  await page.getByRole('button', { name: 'Try again' }).click();
  expect((await asked()).map(({ name }) => name)).toContain('retryGlobalKey');
});
