import { expect, test } from '../fixtures/gallery-test.ts';

test('who comes back to the window has not asked what the button is called that has the keyboard', async ({
  page,
  show,
}) => {
  await show('idle-used');
  const button = page.getByRole('button', { name: 'Commands' });
  const tip = page.getByRole('tooltip');
  // As a window's coming to the front does it: first the window, then what has the keyboard.
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
  // By key it is asked for again.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  await expect(tip).toBeVisible();
});
