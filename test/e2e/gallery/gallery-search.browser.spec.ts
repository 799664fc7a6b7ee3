import { expect, test } from '../fixtures/gallery-test.ts';

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
