import { expect, test } from './fixtures/host-test.ts';
import { answers, ask, field, openChat, patient, questions } from './fixtures/pages/chat-page.ts';

const question = 'What did I say about the lighthouse?';
const told = 'The lighthouse of Ona is red.';

test('a message about an earlier chat names its passage, which can be taken out and opened', async ({
  start,
}) => {
  const { page } = await start({ privacy: { keepChats: true }, memory: { past: true } });
  await openChat(page);
  await ask(page, told);
  await expect(answers(page).last()).toHaveAttribute('aria-busy', 'false', patient);
  await page.getByRole('button', { name: 'New chat' }).click();
  await expect(questions(page)).toHaveCount(0);

  const leaveOut = page.getByRole('button', { name: `Don’t use “${told}”` });
  await field(page).fill(question);
  await expect(leaveOut).toBeVisible(patient);
  await leaveOut.click();
  await expect(leaveOut).toBeHidden();
  await field(page).press('Enter');
  await expect(answers(page).last()).toHaveAttribute('aria-busy', 'false', patient);
  await expect(questions(page).last()).not.toContainText(told);

  await ask(page, question);
  await expect(questions(page)).toHaveCount(2);
  await expect(questions(page).last()).toContainText(told, patient);
  await expect(answers(page).last()).toHaveAttribute('aria-busy', 'false', patient);
  await questions(page)
    .last()
    .getByRole('button', { name: new RegExp(`^${told}`, 'u') })
    .click();
  await expect(questions(page)).toHaveCount(1);
  await expect(questions(page)).toContainText(told);
});
