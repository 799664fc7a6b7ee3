import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './fixtures/host-test.ts';
import { startTalk, talkState } from './fixtures/pages/talk-page.ts';
import { skipWithoutSoundCard, speakSentence } from './fixtures/sound-card.ts';
import { clipboardText } from './fixtures/pages/page-checks.ts';
import { clickUntilHidden } from './fixtures/pages/chat-page.ts';

async function storedTurns(home: string): Promise<readonly string[]> {
  const folder = join(home, 'state', 'talks');
  const [talk] = await readdir(folder).catch(() => []);
  if (talk === undefined) return [];
  const text = await readFile(join(folder, talk, 'talk.json'), 'utf8').catch(() => '{}');
  const { turns = [] } = JSON.parse(text) as {
    readonly turns?: readonly { readonly by: string; readonly text: string }[];
  };
  return turns.map(({ by, text }) => `${by}: ${text}`);
}

const sentence = 'I can hear you, but I do not understand words.';

test('the user’s words are transcribed during the talk, and can be corrected and read later', async ({
  start,
  home,
}) => {
  skipWithoutSoundCard();
  const { page } = await start({ privacy: { keepTalks: 'yes', ownWords: 'whileTalking' } });
  await startTalk(page);
  const own = page.locator('.own-phrase').filter({ hasText: sentence }).first();
  // Repeats the sentence, because a busy machine loses pieces of it in the sound card.
  await expect(async () => {
    await speakSentence('hear');
    await expect(own).toContainText('written down by a machine', { timeout: 8000 });
  }).toPass({ timeout: 90_000 });
  // The user's phrase comes before the answer.
  await expect(page.locator('.caption').first()).toHaveText(/\w{3,} \w+/u);
  await expect(page.locator('.caption-slot').first()).toContainText('You said');

  await own.getByRole('button').click();
  const field = page.getByRole('textbox', { name: 'What you said' });
  await expect(field).toBeFocused();
  await field.fill('I can hear you, but I do not understand music.');
  await page.keyboard.press('Enter');
  const right = page.locator('.own-phrase').filter({ hasText: 'understand music.' });
  await expect(right).toContainText('corrected by you');

  await page.getByRole('button', { name: 'End', exact: true }).click();
  await page.getByRole('button', { name: 'Read it' }).click();
  const lines = page.getByRole('region', { name: 'What was said' });
  const turn = lines
    .locator('.history-turn[data-by="person"]')
    .filter({ hasText: 'corrected by you' });
  await expect(turn).toContainText('understand music.');
  await turn.getByRole('button').click();
  await field.fill('I can hear you.');
  await page.keyboard.press('Enter');
  await expect(turn).toContainText('I can hear you.');
  await expect.poll(() => storedTurns(home)).toContain('person: I can hear you.');
  expect(await storedTurns(home)).not.toContain(
    'person: I can hear you, but I do not understand music.',
  );
});

test('the inspector shows both directions of a talk, pauses, and stops when closed', async ({
  page,
}) => {
  await startTalk(page);
  await page.keyboard.press('Control+i');
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  const events = inspector.getByRole('listbox', { name: 'Events' });
  const rows = events.getByRole('option');
  await expect(rows.filter({ hasText: 'append' }).first()).toBeVisible();
  await expect(rows.filter({ hasText: 'received' }).first()).toBeVisible();
  await expect(inspector.getByText(/to wire \d+ ms/)).toBeVisible();

  await inspector.getByRole('searchbox').fill('append');
  await events.focus();
  await page.keyboard.press('End');
  const detail = inspector.getByRole('region', { name: 'Event' });
  await detail.getByRole('button', { name: 'Copy' }).click();
  await expect(detail.getByRole('status')).toHaveText('Copied');
  const copied = await clipboardText(page);
  expect(copied).toBe(await detail.locator('pre').textContent());
  expect(JSON.parse(copied)).toHaveProperty('type');
  // Spoken content is shown by its length only.
  expect(copied).toMatch(/append[^]*‹\d+ characters›/);

  await inspector.getByRole('button', { name: 'Pause' }).click();
  const counts = async () => (await inspector.locator('.wire-counts').textContent()) ?? '';
  const shown = async () => Number.parseInt(await counts(), 10);
  const passed = async () => Number(/of (\d+)/.exec(await counts())?.[1] ?? Number.NaN);
  const [paused, before] = [await shown(), await passed()];
  await expect.poll(passed).toBeGreaterThan(before + 1);
  expect(await shown()).toBe(paused);

  await page.keyboard.press('Control+i');
  await expect(inspector).toHaveCount(0);
  // A reopened inspector starts empty, because nothing is recorded while it is closed.
  await page.getByRole('button', { name: 'Open the inspector' }).press('Enter');
  await expect(inspector).toBeVisible();
  expect(await passed()).toBeLessThan(before);
});

test('a task typed in a talk needs permission, and becomes a reminder that appears in time', async ({
  start,
}) => {
  const { page } = await start({
    privacy: { ownWords: 'no' },
    tools: { reminders: true, clock: true, talks: true },
  });
  await startTalk(page);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Do what I asked' }).click();
  // Nobody spoke, so the request is written.
  const field = page.getByRole('textbox', { name: 'What should Parley do?' });
  await expect(page.getByText('Parley heard nothing lately.')).toBeVisible();
  await field.fill('call set_reminder {"text":"call home","in_minutes":0.2}');
  await field.press('Enter');
  const request = page.getByRole('region', { name: 'You asked for' });
  await expect(request.getByRole('alert')).toHaveText('Parley wants to use Set a reminder.');
  await expect(request.getByRole('button', { name: 'Allow in this talk' })).toBeVisible();
  // A key right after the question appeared is ignored.
  await page.keyboard.press('Enter');
  await expect(request.getByRole('alert')).toBeVisible();
  await clickUntilHidden(
    request.getByRole('button', { name: 'Allow once' }),
    request.getByRole('alert'),
  );
  await expect(request).toContainText('The reminder is set.');
  await expect(request).toContainText('voice knows this');
  await request.getByText('done', { exact: true }).click();
  await expect(request.locator('.tool-response')).toContainText('call home');
  await expect(page.getByText('Reminder: call home')).toBeVisible();
  await expect(talkState(page)).toHaveText('Live');
});
