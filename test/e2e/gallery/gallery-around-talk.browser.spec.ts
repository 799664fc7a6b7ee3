import { expect, test } from '../fixtures/gallery-test.ts';

const live = { name: 'talkState', payload: { phase: 'live' } } as const;

test('a talk is muted, ended, gone back to and interrupted from another place', async ({
  page,
  show,
  asked,
}) => {
  await show('pill-live');
  const pill = page.getByRole('region', { name: 'Your talk' });
  await expect(pill).toContainText('Live');
  await expect(pill.getByRole('timer')).toHaveText('2:05');
  await pill.getByRole('button', { name: 'Mute' }).click();
  // Also while a message is written.
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

test('the key that interrupts is left to a search that it clears', async ({
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

test('one that ends by itself while something else is looked at says so until it is put away', async ({
  page,
  show,
}) => {
  await show('pill-ended');
  const pill = page.getByRole('region', { name: 'Your talk' });
  await expect(pill).toContainText('Time’s up.');
  await pill.getByRole('button', { name: 'Dismiss' }).click();
  await expect(pill).toHaveCount(0);
});

test('what nobody is sent moves nothing: muted, the ribbon of one’s own voice stands', async ({
  page,
  show,
}) => {
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

test('a server that only listens is said to, with what helps, in either language', async ({
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

test('a note about what a session got over goes by itself, and one about what was lost stays', async ({
  page,
  show,
}) => {
  // Half a minute goes by in four seconds: on a busy machine the state alone takes one to be shown.
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

test('an answer that is finished while another place is looked at is marked beside Chat', async ({
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
