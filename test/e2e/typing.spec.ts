import { expect, test } from './fixtures/host-test.ts';

test('a message typed during a talk is answered in writing, and the talk continues @page', async ({
  page,
}) => {
  await page.getByRole('button', { name: 'Start talking' }).click();
  const more = page.getByRole('button', { name: 'More' });
  await expect(more).toBeVisible({ timeout: 30_000 });
  await more.click();
  await page.getByRole('button', { name: 'Type a message' }).click();
  const field = page.getByRole('textbox', { name: 'Type a message' });
  await expect(field).toBeFocused();
  await field.fill('What can you do?');
  await field.press('Enter');
  const typing = page.getByRole('region', { name: 'Type a message' });
  await expect(typing.locator('.typing-question')).toHaveText('What can you do?');
  await expect(typing.locator('.typing-answer p').first()).not.toBeEmpty({ timeout: 30_000 });
  await expect(field).toHaveValue('');
  await expect(page.getByRole('button', { name: 'Mute' })).toBeVisible();
  await typing.getByRole('button', { name: 'Open in Chat' }).click();
  await expect(page.getByRole('main', { name: 'Chat' })).toContainText('What can you do?');
});
