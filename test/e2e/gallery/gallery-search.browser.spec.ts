import { expect, test } from '../fixtures/gallery-test.ts';

for (const [state, label] of [
  ['history-found', 'Search'],
  ['chat-found', 'Search chats'],
  ['settings-search', 'Find a setting'],
] as const) {
  test(`a search is cleared by its button and by Escape, and keeps the keyboard: ${state}`, async ({
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
    // In the midst of a word of an input method Escape leaves that, and nothing else.
    await field.dispatchEvent('keydown', { key: 'Escape', isComposing: true });
    await expect(field).toHaveValue('more');
    await page.keyboard.press('Escape');
    await expect(field).toHaveValue('');
    await expect(field).toBeFocused();
  });
}
