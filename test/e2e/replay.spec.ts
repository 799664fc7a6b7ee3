import type { Page } from '@playwright/test';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { putStoredTape } from '../fixtures/stored-tape.ts';
import { expect, test } from './fixtures/host-test.ts';
import { waitUntilLive } from './fixtures/pages/talk-page.ts';

const replay = (page: Page) => page.getByRole('main', { name: 'Replay' });
const place = (page: Page) => replay(page).getByRole('slider', { name: 'Place in the talk' });
const readSeconds = async (page: Page): Promise<number> =>
  Number(await place(page).getAttribute('aria-valuenow'));

async function openExample(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'See an example' }).click();
  await page.getByRole('menuitem', { name }).click();
  await expect(place(page)).toBeVisible();
}

test('an example plays, seeks by words and keys, and closes', async ({ page }) => {
  await openExample(page, 'A talk, with an interruption');
  await expect(replay(page).getByRole('heading', { name: 'Replay' })).toContainText('interruption');
  await expect(replay(page).getByRole('button', { name: 'Pause' })).toBeVisible();
  const caption = replay(page).locator('.caption').first();
  await expect(caption).toHaveText(/\w+ \w+ \w+/, { timeout: 30_000 });
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
  const jumpMs = await page.evaluate(async () => {
    const isAtStart = (): boolean => document.querySelector('.timeline')?.ariaValueNow === '0';
    const began = performance.now();
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home' }));
    while (!isAtStart()) await new Promise(requestAnimationFrame);
    return performance.now() - began;
  });
  const description = `a jump to the beginning, through the core and back, in ${Math.round(jumpMs)} ms`;
  test.info().annotations.push({ type: 'measured', description });
  await page.keyboard.press(']');
  await expect.poll(() => readSeconds(page)).toBeGreaterThan(0);

  await page.getByRole('button', { name: /^Speed/ }).click();
  await page.getByRole('menuitemradio', { name: '8×' }).click();
  await expect(page.getByText('No sound at this speed.')).toBeVisible();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Play again' })).toBeVisible({ timeout: 30_000 });
  await expect(replay(page).getByRole('button', { name: 'Start a new talk' })).toHaveCount(0);

  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Start talking' })).toBeVisible();
});

test('a replay pauses at its place when a talk starts', async ({ page }) => {
  test.setTimeout(120_000);
  await openExample(page, 'A talk that lost its connection');
  await expect(replay(page).getByRole('button', { name: 'Pause' })).toBeVisible();
  await expect.poll(() => readSeconds(page)).toBeGreaterThan(1);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('start talking');
  await page.keyboard.press('Enter');
  await expect(replay(page).getByText('A talk is running.')).toBeVisible({ timeout: 30_000 });
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

test('the inspector follows the replay’s cursor @page', async ({ page }) => {
  await openExample(page, 'A talk with pictures');
  await page.keyboard.press('Control+i');
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await expect(inspector.getByText('input.append').first()).toBeVisible({ timeout: 30_000 });
  await replay(page).getByRole('button', { name: 'Pause' }).click();
  await place(page).focus();
  await page.keyboard.press('Home');
  await expect(inspector.getByText('input.append')).toHaveCount(0);
});

test('a stored talk plays from its page in History, and closing returns there @page', async ({
  start,
  home,
}) => {
  const state = join(home, 'state');
  const stamp = '2026-01-02T03-04-05';
  await mkdir(join(state, 'talks', stamp), { recursive: true });
  const begunAt = Date.UTC(2026, 0, 2, 3, 4, 5);
  const talk = {
    format: 'parley-talk',
    version: 1,
    title: 'The lighthouse',
    pinned: false,
    mode: 'audio',
    server: { name: 'Studio' },
    begunAt,
    savedAt: begunAt + 20_000,
    turns: [{ by: 'parley', at: 3000, text: 'Hello there.', heard: 12 }],
    events: [],
    pictures: [],
  };
  await writeFile(join(state, 'talks', stamp, 'talk.json'), JSON.stringify(talk));
  putStoredTape('audio-interrupted', join(state, 'tapes', stamp));
  const { page } = await start();
  await page.getByRole('button', { name: 'History' }).click();
  await page.getByText('The lighthouse').first().click();
  await page.getByRole('button', { name: 'Replay' }).click();
  await expect(place(page)).toBeVisible();
  await expect(replay(page).getByRole('button', { name: 'Pause' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('main', { name: 'Replay' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Replay' })).toBeVisible();
});
