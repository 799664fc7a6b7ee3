import { expect, test } from './fixtures/host-test.ts';
import {
  answers,
  ask,
  clickUntilHidden,
  field,
  openChat,
  patient,
} from './fixtures/pages/chat-page.ts';
import { startTalk, talkState } from './fixtures/pages/talk-page.ts';
import { skipWithoutSoundCard, speakSentence } from './fixtures/sound-card.ts';

test('a tool is switched on, asked for, allowed, and its answer shown and stored', async ({
  page,
}) => {
  const places = page.getByRole('navigation', { name: 'Places' });
  await places.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Tools', exact: true }).click();
  await page.getByRole('switch', { name: 'Clock and calculator' }).click();
  await page.getByRole('switch', { name: 'Reminders' }).click();

  await openChat(page);
  await ask(page, 'What is 6 * 7');
  const question = answers(page).getByRole('alert');
  await expect(question).toHaveText('Parley wants to use Calculator.', patient);
  await expect(answers(page)).toContainText('6 * 7');
  // Keys that the user types go on into the message.
  await page.keyboard.type(' and so on ');
  await page.keyboard.press('Enter');
  await expect(question).toBeVisible();
  await expect(field(page)).toHaveValue(/and so on/u);
  await field(page).fill('');
  await clickUntilHidden(page.getByRole('button', { name: 'Allow once' }), question);
  await expect(answers(page)).toContainText('The tool says: 42', patient);
  await expect(answers(page)).not.toContainText('tool_call');
  await answers(page).getByText('done', { exact: true }).click();
  await expect(answers(page).locator('.tool-response')).toHaveText('42');

  await expect(answers(page).last()).toHaveAttribute('aria-busy', 'false', patient);
  await ask(page, 'Remind me in 10 minutes to call home');
  await expect(answers(page).last()).toContainText('call home', patient);
  await clickUntilHidden(page.getByRole('button', { name: 'Don’t allow' }));
  await expect(answers(page).last()).toContainText('not allowed', patient);
});

const patientTalk = { timeout: 40_000 };

const settings = {
  privacy: { ownWords: 'no' },
  tools: { reminders: true, clock: true, talks: true },
} as const;

test('a written request in a talk is asked for, and becomes a reminder that appears in time', async ({
  start,
}) => {
  test.setTimeout(180_000);
  const { page } = await start(settings);
  await startTalk(page);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Do what I asked' }).click();
  // Nobody spoke, so the request is written.
  const field = page.getByRole('textbox', { name: 'What should Parley do?' });
  await expect(page.getByText('Parley heard nothing lately.')).toBeVisible(patientTalk);
  await field.fill('call set_reminder {"text":"call home","in_minutes":0.2}');
  await field.press('Enter');
  const request = page.getByRole('region', { name: 'You asked for' });
  await expect(request.getByRole('alert')).toHaveText(
    'Parley wants to use Set a reminder.',
    patientTalk,
  );
  await expect(request.getByRole('button', { name: 'Allow in this talk' })).toBeVisible();
  // A key right after the question appeared is ignored.
  await page.keyboard.press('Enter');
  await expect(request.getByRole('alert')).toBeVisible();
  await clickUntilHidden(
    request.getByRole('button', { name: 'Allow once' }),
    request.getByRole('alert'),
  );
  await expect(request).toContainText('The reminder is set.', patientTalk);
  await expect(request).toContainText('voice knows this');
  await request.getByText('done', { exact: true }).click();
  await expect(request.locator('.tool-response')).toContainText('call home');
  await expect(page.getByText('Reminder: call home')).toBeVisible(patientTalk);
  await expect(talkState(page)).toHaveText('Live');
});

test('a key writes down the user’s last words for one request', async ({ start }) => {
  skipWithoutSoundCard();
  test.setTimeout(180_000);
  const { page } = await start(settings);
  await startTalk(page);
  const request = page.getByRole('region', { name: 'You asked for' }).last();
  // A busy machine loses pieces of the sentence in the sound card, so it is repeated.
  await expect(async () => {
    await speakSentence('hear');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Do what I asked');
    await page.keyboard.press('Enter');
    await expect(request).toContainText('I can hear you', { timeout: 10_000 });
  }).toPass({ timeout: 120_000 });
  await expect(page.locator('.own-phrase')).toHaveCount(0);
});
