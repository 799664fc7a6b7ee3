import { expect, test } from './fixtures/host-test.ts';
import {
  answers,
  ask,
  clickUntilHidden,
  field,
  openChat,
  questions,
} from './fixtures/pages/chat-page.ts';
import { openSection } from './fixtures/pages/settings-screen.ts';

test('a tool is switched on, asked for, allowed, and its answer shown and stored', async ({
  page,
}) => {
  await openSection(page, 'Tools');
  await page.getByRole('switch', { name: 'Clock and calculator' }).click();
  await page.getByRole('switch', { name: 'Reminders' }).click();

  await openChat(page);
  await ask(page, 'What is 6 * 7');
  const question = answers(page).getByRole('alert');
  await expect(question).toHaveText('Parley wants to use Calculator.');
  await expect(answers(page)).toContainText('6 * 7');
  // While Parley asks, typed keys still go into the message.
  await page.keyboard.type(' and so on ');
  await page.keyboard.press('Enter');
  await expect(question).toBeVisible();
  await expect(field(page)).toHaveValue(/and so on/u);
  await field(page).fill('');
  await clickUntilHidden(page.getByRole('button', { name: 'Allow once' }), question);
  await expect(answers(page)).toContainText('The tool says: 42');
  await expect(answers(page)).not.toContainText('tool_call');
  await answers(page).getByText('done', { exact: true }).click();
  await expect(answers(page).locator('.tool-response')).toHaveText('42');

  await expect(answers(page).last()).toHaveAttribute('aria-busy', 'false');
  await ask(page, 'Remind me in 10 minutes to call home');
  await expect(answers(page).last()).toContainText('call home');
  await clickUntilHidden(page.getByRole('button', { name: 'Don’t allow' }));
  await expect(answers(page).last()).toContainText('not allowed');
});

const question = 'What did I say about the lighthouse?';
const told = 'The lighthouse of Ona is red.';

test('a message about an earlier chat names its passage, which can be taken out and opened', async ({
  start,
}) => {
  const { page } = await start({ privacy: { keepChats: true }, memory: { past: true } });
  await openChat(page);
  await ask(page, told);
  await expect(answers(page).last()).toHaveAttribute('aria-busy', 'false');
  await page.getByRole('button', { name: 'New chat' }).click();
  await expect(questions(page)).toHaveCount(0);

  const leaveOut = page.getByRole('button', { name: `Don’t use “${told}”` });
  await field(page).fill(question);
  await expect(leaveOut).toBeVisible();
  await leaveOut.click();
  await expect(leaveOut).toBeHidden();
  await field(page).press('Enter');
  await expect(answers(page).last()).toHaveAttribute('aria-busy', 'false');
  await expect(questions(page).last()).not.toContainText(told);

  await ask(page, question);
  await expect(questions(page)).toHaveCount(2);
  await expect(questions(page).last()).toContainText(told);
  await expect(answers(page).last()).toHaveAttribute('aria-busy', 'false');
  await questions(page)
    .last()
    .getByRole('button', { name: new RegExp(`^${told}`, 'u') })
    .click();
  await expect(questions(page)).toHaveCount(1);
  await expect(questions(page)).toContainText(told);
});
