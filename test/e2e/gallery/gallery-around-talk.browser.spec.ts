import { expect, test } from '../fixtures/gallery-test.ts';

const live = { name: 'talkState', payload: { phase: 'live' } } as const;

test('the pill mutes, ends, interrupts and reopens a talk from another screen', async ({
  page,
  show,
  asked,
}) => {
  await show('pill-live');
  const pill = page.getByRole('region', { name: 'Your talk' });
  await expect(pill).toContainText('Live');
  await expect(pill.getByRole('timer')).toHaveText('2:05');
  await pill.getByRole('button', { name: 'Mute' }).click();
  // Escape interrupts while a message is being written.
  await page.getByRole('textbox', { name: 'Message' }).focus();
  await page.keyboard.press('Escape');
  await pill.getByRole('button', { name: 'End', exact: true }).click();
  const names = async () => (await asked()).map(({ name }) => name);
  expect((await names()).filter((name) => /Muted|Talk$/.test(name))).toEqual([
    'setMuted',
    'interruptTalk',
    'endTalk',
  ]);
  await pill.locator('.talk-pill-state').click();
  await expect(page.getByRole('main', { name: 'Talk' })).toBeVisible();
  await expect(pill).toHaveCount(0);
});

test('Escape clears a search first, and interrupts only when pressed again', async ({
  page,
  show,
  asked,
}) => {
  await show('pill-queued');
  await page.evaluate((notice) => window.gallery?.emit(notice), live);
  const search = page.getByRole('search').getByRole('textbox');
  await search.fill('dark');
  await search.press('Escape');
  await expect(search).toHaveValue('');
  const interrupted = async () =>
    (await asked()).filter(({ name }) => name === 'interruptTalk').length;
  expect(await interrupted()).toBe(0);
  await search.press('Escape');
  expect(await interrupted()).toBe(1);
});

test('a talk that ends while another screen is open says so until dismissed', async ({
  page,
  show,
}) => {
  await show('pill-ended');
  const pill = page.getByRole('region', { name: 'Your talk' });
  await expect(pill).toContainText('Time’s up.');
  await pill.getByRole('button', { name: 'Dismiss' }).click();
  await expect(pill).toHaveCount(0);
});

test('the user’s waveform moves only while their voice is sent', async ({ page, show }) => {
  const painted = () =>
    page.evaluate(() => Number(document.querySelector('canvas')?.dataset['painted']));
  const speak = () =>
    page.evaluate(() =>
      window.gallery?.emit({ name: 'level', payload: { who: 'you', rmsDb: -15, peakDb: -5 } }),
    );
  for (const [state, moves] of [
    ['live-muted', false],
    ['live-paused', false],
    ['live-hold', false],
    ['live-nobody', true],
  ] as const) {
    await show(state);
    await page.evaluate(() => window.gallery?.startClock());
    await page.waitForTimeout(300);
    const before = await painted();
    await speak();
    await page.waitForTimeout(300);
    expect((await painted()) > before, state).toBe(moves);
  }
});

test('a note about a server that only listens suggests remedies, in both languages', async ({
  page,
  show,
}) => {
  await show('live-only-listens');
  const note = page.locator('.note');
  await expect(note).toContainText(
    'The server hears you but only listens. A louder microphone, a lower “Readiness to listen” in Settings, a higher “Answer length” in Settings, or another server may help.',
  );
  await note.getByRole('button').click();
  await expect(note).toHaveCount(0);
  await show('live-only-listens', { language: 'zh' });
  await expect(note).toContainText('服务器听得到你，但一直只听不答。可以试试调高麦克风音量、');
});

test('a note about a recovered error disappears, and one about a loss stays', async ({
  page,
  show,
}) => {
  // Shortens the 30 s timer to 4 s; on a busy machine showing the state takes one of them.
  await page.evaluate(() => {
    const wait = window.setTimeout.bind(window);
    Reflect.set(window, 'setTimeout', (run: TimerHandler, ms?: number) =>
      wait(run, ms === 30_000 ? 4000 : ms),
    );
  });
  await show('live-troubles');
  const passing = page.getByText(/inference_error/);
  await expect(passing).toBeVisible();
  await expect(passing).toHaveCount(0);
  await expect(page.locator('.note')).not.toHaveCount(0);
});

test('an answer that finishes while another screen is open is marked beside Chat', async ({
  page,
  show,
}) => {
  await show('idle');
  const chat = page.getByRole('button', { name: /^Chat/ });
  await expect(chat).toHaveAccessibleName('Chat');
  await page.evaluate(() =>
    window.gallery?.emit({
      name: 'chatPatch',
      payload: { kind: 'answer', turn: 't', state: { kind: 'done', cutShort: false } },
    }),
  );
  await expect(chat).toHaveAccessibleName(/A new answer/);
  await chat.click();
  await expect(chat).toHaveAccessibleName('Chat');
});
