import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './fixtures/host-test.ts';
import { startTalk } from './fixtures/pages/talk-page.ts';
import { skipWithoutSoundCard, speakSentence } from './fixtures/sound-card.ts';

const patient = { timeout: 30_000 };

/** The entries of a state folder; none if it does not exist. */
const storedIn = (home: string, folder: string): Promise<readonly string[]> =>
  readdir(join(home, 'state', folder)).catch(() => []);

test('a talk can be kept, found by a word, read, renamed and deleted permanently', async ({
  start,
  home,
}) => {
  skipWithoutSoundCard();
  test.setTimeout(180_000);
  const { page } = await start();
  await startTalk(page);
  await speakSentence();
  await expect(page.locator('.caption').first()).toHaveText(/\w{3,} \w+/, patient);
  await page.getByRole('button', { name: 'End', exact: true }).click();

  const question = page.getByRole('region', { name: 'Keep the text of your talks' });
  await expect(question).toBeVisible(patient);
  expect(await storedIn(home, 'talks')).toEqual([]);
  await question.getByRole('button', { name: 'Keep', exact: true }).click();
  await expect(question).toHaveCount(0);
  await page.getByRole('button', { name: 'Read it' }).click();
  const lines = page.getByRole('region', { name: 'What was said' });
  await expect(lines.locator('.history-turn').first()).toContainText('Parley said');
  const said = await lines.locator('.history-turn > [dir]').first().innerText();
  const word = /\p{L}{3,}/u.exec(said)?.[0] ?? '';
  await expect.poll(() => storedIn(home, 'talks')).toHaveLength(1);

  const field = page.getByRole('textbox', { name: 'Search' });
  await field.fill('zeppelin');
  await expect(page.getByText('No results')).toBeVisible();
  await field.fill(word);
  const rows = page.locator('.history-open');
  await expect(rows).toHaveCount(1);
  await expect(rows.locator('mark').first()).toHaveText(new RegExp(word, 'iu'));
  await field.fill('');

  await rows.first().focus();
  await page.keyboard.press('F2');
  await page.getByRole('textbox', { name: 'New name' }).fill('What was said first');
  await page.keyboard.press('Enter');
  await expect(rows.first()).toContainText('What was said first');
  await expect(page.getByRole('heading', { name: 'What was said first' })).toBeVisible();

  await rows.first().focus();
  await page.keyboard.press('Delete');
  await expect(rows).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(rows.first()).toContainText('What was said first');
  await rows.first().focus();
  await page.keyboard.press('Delete');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.getByRole('heading', { name: 'Nothing here yet.' })).toBeVisible();
  await expect.poll(() => storedIn(home, 'talks')).toEqual([]);
});

test('an incognito talk says so and leaves nothing behind', async ({ start, home }) => {
  test.setTimeout(120_000);
  // This user keeps everything else.
  const { page } = await start({ privacy: { keepTalks: 'yes', keepTapes: true } });
  const incognito = page.getByRole('switch', { name: 'Incognito' });
  await incognito.click();
  await expect(incognito).toBeChecked();
  await expect(page.getByText('The next talk leaves nothing on this computer.')).toBeVisible();
  await startTalk(page);
  await expect(page.getByRole('region', { name: 'This talk' })).toContainText(
    'Nothing of this talk is kept',
  );
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'You ended the talk.' })).toBeVisible(patient);
  await page.getByRole('button', { name: 'History' }).click();
  await expect(page.getByRole('heading', { name: 'Nothing here yet.' })).toBeVisible();
  expect([await storedIn(home, 'talks'), await storedIn(home, 'tapes')]).toEqual([[], []]);
});
