import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { putStoredTape } from '../fixtures/stored-tape.ts';
import { expect, test } from './fixtures/host-test.ts';
import { putTalk } from './fixtures/running-host.ts';
import { startTalk, waitUntilLive } from './fixtures/pages/talk-page.ts';
import { skipWithoutSoundCard, speakSentence } from './fixtures/sound-card.ts';
import type { Page } from '@playwright/test';

/** The entries of a state folder; none if it does not exist. */
const storedIn = (home: string, folder: string): Promise<readonly string[]> =>
  readdir(join(home, 'state', folder)).catch(() => []);

test('a talk can be kept, found by a word, read, renamed and deleted permanently', async ({
  start,
  home,
}) => {
  skipWithoutSoundCard();
  const { page } = await start();
  await startTalk(page);
  await speakSentence();
  await expect(page.locator('.caption').first()).toHaveText(/\w{3,} \w+/);
  await page.getByRole('button', { name: 'End', exact: true }).click();

  const question = page.getByRole('region', { name: 'Keep the text of your talks' });
  await expect(question).toBeVisible();
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

test('the focus is never lost while the only talk is selected and deleted @page', async ({
  start,
  home,
}) => {
  await putTalk(home);
  const { page } = await start();
  await page.getByRole('button', { name: 'History' }).click();
  await page.getByRole('button', { name: 'More about The lighthouse' }).click();
  await page.getByRole('menuitem', { name: 'Select' }).click();
  const bar = page.locator('.history-selection');
  await expect(bar).toBeFocused();
  await bar.getByRole('button', { name: 'Delete' }).click();
  await expect(bar).toHaveCount(0);
  await expect(page.locator('button:focus, summary:focus')).toBeVisible();
});

test('an incognito talk is marked as incognito and leaves nothing behind', async ({
  start,
  home,
}) => {
  // The settings store talks and recordings, so only the incognito switch can prevent it.
  const { page } = await start({ privacy: { keepTalks: 'yes', keepTapes: true } });
  const incognito = page.getByRole('switch', { name: 'Incognito' });
  await incognito.click();
  await expect(incognito).toBeChecked();
  await expect(
    page.getByText('The next talk leaves no text, recording or picture on this computer.'),
  ).toBeVisible();
  await startTalk(page);
  await expect(page.getByRole('region', { name: 'This talk' })).toContainText(
    'Nothing of this talk is kept',
  );
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'You ended the talk.' })).toBeVisible();
  await page.getByRole('button', { name: 'History' }).click();
  await expect(page.getByRole('heading', { name: 'Nothing here yet.' })).toBeVisible();
  expect([await storedIn(home, 'talks'), await storedIn(home, 'tapes')]).toEqual([[], []]);
});

const replay = (page: Page) => page.getByRole('main', { name: 'Replay' });
const place = (page: Page) => replay(page).getByRole('slider', { name: 'Place in the talk' });
const readSeconds = async (page: Page): Promise<number> =>
  Number(await place(page).getAttribute('aria-valuenow'));

async function openExample(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'See an example' }).click();
  await page.getByRole('menuitem', { name }).click();
  await expect(place(page)).toBeVisible();
}

test('an example plays, seeks by words and keys, and closes @nightly', async ({ page }) => {
  await openExample(page, 'A talk, with an interruption');
  await expect(replay(page).getByRole('heading', { name: 'Replay' })).toContainText('interruption');
  await expect(replay(page).getByRole('button', { name: 'Pause' })).toBeVisible();
  const caption = replay(page).locator('.caption').first();
  await expect(caption).toHaveText(/\w+ \w+ \w+/);
  await page.keyboard.press('Space');
  await expect(replay(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible();

  // At the end, a click on an early word seeks back to it.
  await page.keyboard.press('End');
  await expect(replay(page).getByRole('button', { name: 'Play again' })).toBeVisible();
  const end = await readSeconds(page);
  const first = replay(page).locator('.caption').first();
  const box = await first.boundingBox();
  if (box === null) throw new Error('The caption is not on the screen.');
  await first.click({ position: { x: 60, y: 12 } });
  await expect.poll(() => readSeconds(page)).toBeLessThan(end - 5);
  const word = await readSeconds(page);
  expect(word).toBeGreaterThan(0);
  await expect(first.locator('.caption-coming')).toBeVisible();
  const heard = await first.evaluate((line) => line.firstChild?.textContent ?? '');
  expect(heard.length).toBeLessThan(30);

  await page.keyboard.press('ArrowRight');
  await expect.poll(() => readSeconds(page)).toBe(word + 5);
  await page.keyboard.press('Home');
  await expect.poll(() => readSeconds(page)).toBe(0);
  await page.keyboard.press(']');
  await expect.poll(() => readSeconds(page)).toBeGreaterThan(0);

  await page.getByRole('button', { name: /^Speed/ }).click();
  await page.getByRole('menuitemradio', { name: '8×' }).click();
  await expect(page.getByText('No sound at this speed.')).toBeVisible();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Play again' })).toBeVisible();
  await expect(replay(page).getByRole('button', { name: 'Start a new talk' })).toHaveCount(0);

  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Start talking' })).toBeVisible();
});

test('a replay pauses at its place when a talk starts @nightly', async ({ page }) => {
  await openExample(page, 'A talk that lost its connection');
  await expect(replay(page).getByRole('button', { name: 'Pause' })).toBeVisible();
  await expect.poll(() => readSeconds(page)).toBeGreaterThan(1);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('start talking');
  await page.keyboard.press('Enter');
  await expect(replay(page).getByText('A talk is running.')).toBeVisible();
  await expect(replay(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  const pausedAt = await readSeconds(page);
  await replay(page).getByRole('button', { name: 'Go to the talk' }).click();
  await waitUntilLive(page);
  await expect(page.locator('.caption')).toHaveCount(0);
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  expect(await readSeconds(page)).toBe(pausedAt);
  await replay(page).getByRole('button', { name: 'Play', exact: true }).click();
  await expect.poll(() => readSeconds(page)).toBeGreaterThan(pausedAt);
});

test('a stored talk plays from its page in History, and closing returns there @page', async ({
  start,
  home,
}) => {
  putStoredTape('audio-interrupted', join(home, 'state/tapes', await putTalk(home)));
  const { page } = await start();
  await page.getByRole('button', { name: 'History' }).click();
  await page.getByText('The lighthouse').first().click();
  await page.getByRole('button', { name: 'Replay' }).click();
  await expect(replay(page).getByRole('button', { name: 'Pause' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(replay(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Replay' })).toBeVisible();
});
