import type { Page } from '@playwright/test';
import { expect, type GalleryRequest, test } from '../fixtures/gallery-test.ts';

const panel = (page: Page) => page.locator('.computer');
const button = (page: Page, name: string) => panel(page).getByRole('button', { name, exact: true });

/** The requests about the model, without those that the page sends when it opens. */
const actions = (requests: readonly GalleryRequest[]) =>
  requests.filter(({ name }) => /Model/u.test(name));

/** The main text and the first action of each state, and the request that the action sends. */
const states = [
  [
    'computer-missing',
    '8.9 GB to download. 120 GB of the disk are free.',
    'Download',
    'downloadModel',
  ],
  [
    'computer-no-room',
    'Only 4.2 GB are free, and 9.9 GB are needed.',
    'Check again',
    'lookForModel',
  ],
  [
    'computer-no-program',
    'Parley found no llama-omni-server',
    'Choose program…',
    'chooseModelProgram',
  ],
  ['computer-too-small', 'It would be too slow here.', 'Choose folder…', 'chooseModelFolder'],
  ['computer-taken', 'Other programs use 7.9 GB', 'Download', 'downloadModel'],
  ['computer-downloading', '3.1 GB of 8.9 GB · 21 MB/s · 4:35 left', 'Pause', 'pauseModel'],
  ['computer-stalled', 'huggingface.co can’t be reached.', 'Pause', 'pauseModel'],
  ['computer-paused', 'Paused at 3.1 GB of 8.9 GB.', 'Resume', 'downloadModel'],
  ['computer-verifying', 'Checking the files: 5.1 GB of 8.9 GB', 'Pause', 'pauseModel'],
  ['computer-failed', 'huggingface.co can’t be reached.', 'Resume', 'downloadModel'],
  [
    'computer-foreign',
    'Parley never deletes files in this folder.',
    'Check the files',
    'verifyModel',
  ],
  ['computer-loading', 'Loading the model, about 24 s', 'Free the memory', 'unloadModel'],
  ['computer-ready', 'Loaded and ready. Fast enough for talks.', 'Free the memory', 'unloadModel'],
  ['computer-restarting', 'Starting again in 4 s.', 'Free the memory', 'unloadModel'],
  ['computer-elsewhere', 'Another Parley on this computer', 'Load now', 'loadModel'],
] as const;

test('each state of the model says what it is, and offers what to do', async ({
  page,
  show,
  asked,
}) => {
  for (const [state, text, action, request] of states) {
    await test.step(state, async () => {
      await show(state);
      await expect(panel(page)).toContainText(text);
      await button(page, action).click();
      // `lookForModel` is also sent without a click.
      if (request === 'lookForModel') return;
      expect((await asked()).at(-1)?.name).toBe(request);
    });
  }
});

test('an answer says what it waits for: the model, or the end of a talk', async ({
  page,
  show,
}) => {
  const waiting = page.locator('.answer-waiting');
  await show('computer-chat-switching');
  await expect(waiting).toHaveText('Switching to chat, about 24 s');
  await show('computer-chat-after-talk');
  await expect(waiting).toHaveText('Not while you talk. Parley answers when the talk ends.');
});

test('the button says why it is disabled without room, and downloads nothing', async ({
  page,
  show,
  asked,
}) => {
  await show('computer-no-room');
  const download = button(page, 'Download');
  await expect(download).toHaveAttribute('aria-disabled', 'true');
  await expect(download).toHaveAccessibleDescription(/Only 4\.2 GB are free/u);
  await download.click({ force: true });
  expect(actions(await asked())).toEqual([]);
});

test('chosen paths can go back to the automatic ones', async ({ page, show, asked }) => {
  await show('computer-foreign');
  await button(page, 'Find it automatically').click();
  await button(page, 'Use Parley’s folder').click();
  expect(actions(await asked())).toEqual([
    { name: 'setModelProgram', input: { path: '' } },
    { name: 'setModelFolder', input: { path: '' } },
  ]);
  await show('computer-ready');
  await expect(button(page, 'Find it automatically')).toHaveCount(0);
  await expect(button(page, 'Use Parley’s folder')).toHaveCount(0);
});

test('with room for two copies chat while talking can be set; with room for one, the panel says why chat waits', async ({
  page,
  show,
  asked,
}) => {
  await show('computer-one-copy');
  await expect(
    page.getByText(/^Chat waits while you talk, .* too little free memory/u),
  ).toBeVisible();
  await show('computer-two-copies');
  await expect(page.getByText('A second copy of the model answers chats.')).toBeVisible();
  await button(page, 'Chat while you talk If possible').click();
  await page.getByRole('menuitemradio', { name: 'Never' }).click();
  expect((await asked()).filter(({ name }) => name === 'changeSettings')).toEqual([
    { name: 'changeSettings', input: { model: { chatWhileTalking: 'never' } } },
  ]);
  await show('computer-ready');
  await expect(page.getByText('Chat while you talk')).toHaveCount(0);
});

test('the path is typed in a browser, and Enter sends it', async ({ page, show, asked }) => {
  await show('computer-browser');
  await button(page, 'Choose program…').click();
  await page.getByRole('textbox', { name: 'Path of llama-omni-server' }).fill(' /opt/server ');
  await page.keyboard.press('Enter');
  expect(actions(await asked())).toEqual([
    { name: 'setModelProgram', input: { path: '/opt/server' } },
  ]);
});

test('the keyboard reaches the actions in their order', async ({ page, show }) => {
  await show('computer-foreign');
  await button(page, 'Check the files').focus();
  const order: string[] = [];
  for (let step = 0; step < 7; step += 1) {
    order.push(await page.evaluate(() => document.activeElement?.textContent ?? ''));
    await page.keyboard.press('Tab');
  }
  expect(order).toEqual([
    'Check the files',
    'Choose folder…',
    'Use Parley’s folder',
    'Load now',
    '15 min',
    'Choose program…',
    'Find it automatically',
  ]);
});

test('the first steps scroll as one page, and keep their button visible', async ({
  page,
  show,
}) => {
  for (const [width, height] of [
    [420, 680],
    [900, 680],
  ] as const) {
    await page.setViewportSize({ width, height });
    await show('first-computer');
    const start = page.getByRole('button', { name: 'Start talking' });
    await expect(start).toBeInViewport({ ratio: 1 });
    await button(page, 'Download').scrollIntoViewIfNeeded();
    await button(page, 'Download').click({ trial: true });
    await expect(start).toBeInViewport({ ratio: 1 });
    expect(await panel(page).evaluate((box) => box.scrollHeight - box.clientHeight)).toBe(0);
  }
});
