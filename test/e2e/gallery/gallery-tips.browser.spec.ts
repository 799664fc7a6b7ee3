import { expect, test } from '../fixtures/gallery-test.ts';

test('returning to the window shows no tooltip for the focused button', async ({ page, show }) => {
  await show('idle-used');
  const button = page.getByRole('button', { name: 'Commands' });
  const tip = page.getByRole('tooltip');
  // The events when a window comes to the front: first the window, then the focused element.
  const comeBack = () =>
    button.evaluate((element) => {
      element.blur();
      window.dispatchEvent(new FocusEvent('focus'));
      element.focus();
    });
  await page.keyboard.press('Tab');
  await button.focus();
  await expect(tip).toBeVisible();
  await comeBack();
  await expect(tip).toHaveCount(0);
  // Moving the focus by keyboard shows it again.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  await expect(tip).toBeVisible();
});
