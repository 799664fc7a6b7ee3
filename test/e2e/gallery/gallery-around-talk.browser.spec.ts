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
  inputs,
}) => {
  await show('pill-queued');
  await page.evaluate((notice) => window.gallery?.emit(notice), live);
  const search = page.getByRole('search').getByRole('textbox');
  await search.fill('dark');
  await search.press('Escape');
  await expect(search).toHaveValue('');
  const interrupted = async () => (await inputs('interruptTalk')).length;
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

test('the start screen changes the server and leads to adding one', async ({
  page,
  show,
  asked,
}) => {
  await show('idle-used');
  await page.getByRole('button', { name: 'Server: Studio in the attic' }).click();
  await page.getByRole('menuitemradio', { name: 'Demonstration' }).click();
  await expect(page.getByRole('button', { name: 'Server: Demonstration' })).toBeVisible();
  expect((await asked()).filter(({ name }) => name === 'changeSettings')).toEqual([
    { name: 'changeSettings', input: { endpoints: { chosen: 'embedded' } } },
  ]);
  await expect(page.getByText(/^The demonstration runs on this machine/)).toBeVisible();

  await page.getByRole('button', { name: 'Server: Demonstration' }).click();
  await page.getByRole('menuitem', { name: 'Add a server…' }).click();
  await expect(page.getByRole('form', { name: 'New server' })).toBeVisible();
});

test('the list of microphones is read only when it is opened', async ({ page, show, inputs }) => {
  await show('idle');
  const reads = async () => (await inputs('soundDevices')).length;
  expect(await reads()).toBe(0);
  await page.getByRole('button', { name: 'Microphone: System microphone' }).click();
  await expect(page.getByRole('menuitemradio')).toHaveCount(1);
  expect(await reads()).toBe(1);
});

test('the level meter opens the microphone only on request and while the window has the focus', async ({
  page,
  show,
  inputs,
}) => {
  const opened = () => inputs('meterMicrophone');
  const use = (used: boolean) =>
    page.evaluate((used) => {
      document.hasFocus = () => used;
      window.dispatchEvent(new Event(used ? 'focus' : 'blur'));
    }, used);
  await show('idle');
  expect(await opened()).toEqual([]);
  await page.getByRole('button', { name: 'Show level' }).click();
  await expect(page.getByRole('meter', { name: 'Microphone level' })).toBeVisible();
  expect(await opened()).toEqual([{ on: true }]);
  await use(false);
  await expect(page.getByRole('meter')).toHaveCount(0);

  await test.step('the choice is remembered, and the microphone closes when the Talk screen is left', async () => {
    await use(true);
    await show('idle');
    await expect(page.getByRole('meter')).toBeVisible();
    expect(await opened()).toEqual([{ on: true }]);
    await page.getByRole('button', { name: 'Chat', exact: true }).click();
    await expect(page.getByRole('meter')).toHaveCount(0);
  });

  await show('idle');
  await page.getByRole('button', { name: 'Hide level' }).click();
  await show('idle');
  expect(await opened()).toEqual([]);
});

test('a click opens a recent talk', async ({ page, show, asked }) => {
  await show('idle-used');
  const recent = page.getByRole('navigation', { name: 'Recent talks' });
  await expect(recent.getByRole('button')).toHaveCount(3);
  await recent.getByRole('button', { name: /^How far a lighthouse/ }).click();
  await expect(page.getByRole('button', { name: 'History', exact: true })).toHaveAttribute(
    'aria-current',
    'page',
  );
  expect(await asked()).toContainEqual({ name: 'talkRecord', input: { id: 'light' } });
});

test('a waveform is painted at most 15 times a second and only for sound', async ({
  page,
  show,
}) => {
  await show('live-nobody');
  await page.evaluate(() => window.gallery?.startClock());
  const hear = (rmsDb: number) =>
    page.evaluate(async (rmsDb) => {
      const painted = () => Number(document.querySelector('canvas')?.dataset['painted']);
      const [before, began] = [painted(), performance.now()];
      let sent = 0;
      while (performance.now() - began < 2000) {
        for (; sent < (performance.now() - began) / 25; sent += 1) {
          const who = sent % 2 === 0 ? 'you' : 'parley';
          window.gallery?.emit({ name: 'level', payload: { who, rmsDb, peakDb: rmsDb } });
        }
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      return { frames: painted() - before, seconds: (performance.now() - began) / 1000 };
    }, rmsDb);
  const silence = await hear(-70);
  expect(silence.frames, 'frames painted in silence').toBe(0);
  const voices = await hear(-20);
  expect(voices.frames, 'frames painted for voices').toBeGreaterThan(5);
  expect(voices.frames / voices.seconds, 'frames per second').toBeLessThanOrEqual(15.5);
});

for (const state of ['idle', 'live-nobody', 'live-long', 'live-camera'])
  test(`no animation runs without input in ${state}`, async ({ page, show, states }) => {
    expect(states).toContain(state);
    await show(state);
    const runningAnimations = () =>
      page.evaluate(() =>
        document
          .getAnimations()
          // Scroll-driven animations move only when the user scrolls.
          .filter(
            ({ playState, timeline }) => playState === 'running' && timeline === document.timeline,
          )
          .map(({ effect }) => effect?.getTiming().iterations),
      );
    await expect.poll(runningAnimations).toEqual([]);
  });
