import type { Page } from '@playwright/test';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '../fixtures/host-test.ts';
import { stateDirEnvironment } from '../fixtures/running-host.ts';

// Prepares a state folder with files that Parley must not lose.

async function prepare(home: string, files: Readonly<Record<string, string>>): Promise<string> {
  const state = stateDirEnvironment(home).PARLEY_STATE_DIR;
  await mkdir(state, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(state, name), text);
  return state;
}

async function captionSize(page: Page): Promise<number | undefined> {
  const reply = await page.evaluate(() => window.parley?.request('settings', undefined));
  return reply?.ok === true ? reply.value.settings.captions.size : undefined;
}

async function changeCaptionSize(page: Page, size: number): Promise<void> {
  await page.evaluate(
    (size) => window.parley?.request('changeSettings', { captions: { size } }),
    size,
  );
  await expect.poll(() => captionSize(page)).toBe(size);
}

test('the window reports an unwritable log once, and everything else works', async ({
  start,
  home,
}) => {
  const state = await prepare(home, {
    // Root can write to any folder, but not to a file in its place.
    logs: 'something else',
    'settings.json': '{"version":1,"firstRun":{"done":true}}',
  });
  const { electron, page } = await start();
  await page.getByRole('button', { name: 'Start talking' }).click();
  await expect(page.getByRole('button', { name: 'Interrupt' })).toBeVisible({ timeout: 30_000 });
  await electron?.evaluate(() => {
    setTimeout(() => {
      throw new Error('planted');
    });
  });
  const sentence = page.getByText(/^The log cannot be written to .*logs\. Everything else works/);
  await expect(sentence).toHaveCount(1);
  await changeCaptionSize(page, 33);
  await expect.poll(() => readFile(join(state, 'settings.json'), 'utf8')).toMatch(/"size": ?33/);
  await expect(page.getByRole('button', { name: 'Interrupt' })).toBeVisible();
  expect(await readFile(join(state, 'logs'), 'utf8')).toBe('something else');
});

test('settings of a newer version apply as far as they are known, and their file stays unchanged', async ({
  start,
  home,
}) => {
  const newer = JSON.stringify({
    version: 9,
    firstRun: { done: true },
    captions: { size: 31, glow: true },
    weather: 'fine',
  });
  const state = await prepare(home, { 'settings.json': newer });
  for (const size of [34, 35]) {
    const { page } = await start();
    const sentence = page.getByText(
      /written by a newer version of Parley\..*Changes here last until Parley quits/,
    );
    await expect(sentence).toHaveCount(1);
    expect(await captionSize(page)).toBe(31);
    await changeCaptionSize(page, size);
    await expect(page.getByRole('button', { name: 'Start talking' })).toBeVisible();
  }
  // The second start's change is gone, too.
  expect(await readFile(join(state, 'settings.json'), 'utf8')).toBe(newer);
});
