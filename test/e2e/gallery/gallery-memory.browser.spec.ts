import { expect, test } from '../fixtures/gallery-test.ts';

test('a suggestion is accepted from its notice, shown in Settings, and dismissed until the next', async ({
  page,
  show,
  asked,
}) => {
  const answered = async () => (await asked()).filter(({ name }) => name === 'answerSuggestion');
  await show('memory-notice');
  const notice = page.locator('.suggestion-notice');
  await expect(notice).toContainText('I live in Oslo now.');
  await notice.getByRole('button', { name: 'Remember' }).click();
  expect(await answered()).toMatchObject([{ input: { id: 's1', accepted: true } }]);
  await notice.getByRole('button', { name: 'Show all 2' }).click();
  const suggestions = page.getByRole('region', { name: 'Remember this?' });
  await expect(suggestions).toContainText('My son Tom plays chess.');
  await expect(notice).toBeHidden();

  await show('memory-notice');
  await notice.getByRole('button', { name: 'Dismiss' }).click();
  await expect(notice).toBeHidden();
});

test('a suggestion is rejected in Settings', async ({ page, show, asked }) => {
  await show('settings-memory-asked');
  await page.getByRole('button', { name: 'No: My son Tom plays chess.' }).click();
  const rejected = { name: 'answerSuggestion', input: { id: 's2', accepted: false } };
  expect((await asked()).at(-1)).toMatchObject(rejected);
});

test('a passage is taken out of a quick question and of a talk', async ({ page, show, asked }) => {
  const last = async () => (await asked()).at(-1);
  await show('cursor-past');
  const [draft, sent] = [page.locator('.cursor-field'), page.getByRole('log')];
  await draft.getByRole('button', { name: /^Don’t use/u }).click();
  await expect(draft.getByRole('button', { name: /^Don’t use/u })).toBeHidden();
  await sent.getByRole('button', { name: /^Don’t use/u }).click();
  expect(await last()).toMatchObject({ name: 'forgetQuickPassage', input: { turn: 'q' } });
  await show('talk-past');
  await page.getByRole('button', { name: 'Don’t use “The lighthouse”' }).click();
  const place = { kind: 'talk', id: '2026-11-21' };
  expect(await last()).toMatchObject({ name: 'leaveOutTalkPassage', input: { place } });
});

test('found tool servers are added once they are ticked', async ({ page, show, asked }) => {
  await show('settings-tools-found');
  const found = page.getByRole('region', { name: 'Found on this computer' });
  const add = found.getByRole('button', { name: 'Add the ticked ones' });
  await expect(add).toBeDisabled();
  await expect(found.getByRole('checkbox', { disabled: true })).toHaveCount(2);
  await found.getByRole('checkbox', { name: /calendar/u }).check();
  await add.click();
  const added = (await asked()).filter(({ name }) => name === 'addFoundServers');
  expect(added).toMatchObject([{ input: { ids: ['f2'] } }]);
  await page.getByRole('button', { name: 'Look for other assistants’ servers' }).click();
  expect((await asked()).at(-1)).toMatchObject({ name: 'findToolServers' });
});
