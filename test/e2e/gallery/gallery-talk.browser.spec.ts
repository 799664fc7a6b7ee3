import { expect, test } from '../fixtures/gallery-test.ts';

test('a word renders only its line, and a level renders nothing', async ({ page, show }) => {
  await page.setViewportSize({ width: 900, height: 680 });
  await show('live-empty');
  const measured = await page.evaluate(async () => {
    const gallery = window.gallery;
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const sentence = 'Ten words of a sentence that has been said before. ';
    for (let turn = 1; turn <= 1000; turn += 1) {
      gallery?.emit({
        name: 'caption',
        payload: { turn, added: sentence, heard: sentence.length, settled: true },
      });
    }
    gallery?.emit({ name: 'caption', payload: { turn: 1001, added: sentence.repeat(5) } });
    // Waits until the list has measured its new lines.
    for (let still = 0; still < 20;) {
      await frame();
      still = gallery?.commits().length === 0 ? still + 1 : 0;
    }

    for (let count = 0; count < 100; count += 1) {
      gallery?.emit({ name: 'level', payload: { who: 'you', rmsDb: -20, peakDb: -10 } });
    }
    await frame();
    const byLevels = gallery?.commits().length;

    const changed = new Set<string>();
    const watcher = new MutationObserver((records) => {
      for (const { target } of records) {
        const element = target instanceof Element ? target : target.parentElement;
        const place = element?.closest('.caption, .visually-hidden, main');
        changed.add(place?.className ?? 'elsewhere');
      }
    });
    watcher.observe(document.body, { subtree: true, childList: true, characterData: true });
    for (let word = 1; word <= 60; word += 1) {
      gallery?.emit({ name: 'caption', payload: { turn: 1001, heard: word * 4 } });
      await frame();
    }
    watcher.disconnect();
    const commits = gallery?.commits() ?? [];
    const lines = document.querySelectorAll('.caption').length;
    return { byLevels, changed: [...changed].toSorted(), commits, lines };
  });
  expect(measured.byLevels, 'commits by levels').toBe(0);
  expect(measured.changed.filter((place) => place !== 'visually-hidden')).toEqual(['caption']);
  // One commit per word, plus the screen reader's sentences.
  expect(measured.commits.length).toBeLessThan(64);
  const median = measured.commits.toSorted((a, b) => a - b)[measured.commits.length >> 1] ?? NaN;
  const description = `a caption's word after 10,000 others: median ${median.toFixed(2)} ms`;
  test.info().annotations.push({ type: 'measured', description });
  expect(median).toBeLessThan(4);
  expect(measured.lines, 'lines in the page').toBeLessThan(40);
});

test('captions stay where the user scrolled, and return to the newest on request', async ({
  page,
  show,
}) => {
  await show('live-long');
  const roll = page.getByRole('region', { name: 'What Parley said' });
  const away = () =>
    roll.evaluate(({ scrollHeight, scrollTop, clientHeight }) =>
      Math.round(scrollHeight - scrollTop - clientHeight),
    );
  await expect.poll(away).toBeLessThan(2);
  await roll.focus();
  await page.keyboard.press('Home');
  const back = page.getByRole('button', { name: 'Back to now' });
  await expect(back).toBeVisible();
  const say = (turn: number) =>
    page.evaluate(
      (turn) =>
        window.gallery?.emit({
          name: 'caption',
          payload: { turn, added: 'More words. ', heard: 3 },
        }),
      turn,
    );
  const top = () => roll.evaluate(({ scrollTop }) => scrollTop);
  await expect.poll(top).toBeLessThan(5);
  for (let turn = 300; turn < 310; turn += 1) await say(turn);
  expect(await top()).toBeLessThan(5);
  await back.click();
  await expect.poll(away).toBeLessThan(2);
  for (let turn = 310; turn < 315; turn += 1) await say(turn);
  await expect.poll(away).toBeLessThan(2);
  await expect(back).toHaveCount(0);
});

test('a talk that could not start links to its server’s settings @nightly', async ({
  page,
  show,
}) => {
  for (const [state, offer] of [
    ['ended-endpoint', 'Check the server'],
    ['ended-token', 'Check the access token'],
  ] as const) {
    await show(state);
    await page.getByRole('button', { name: offer }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Servers');
  }
});

test('HTML in a model’s words is shown as text', async ({ page, show }) => {
  await show('live-hostile');
  await expect(page.getByText('<script>alert(1)</script>')).toBeVisible();
  expect(await page.locator('.captions img, .captions script').count()).toBe(0);
});

// `keys.test.ts` has what a key does.
test('Space is the talk key, unless the keyboard has focused a button, and Escape closes what is open before it interrupts', async ({
  page,
  show,
  asked,
}) => {
  const pairs = async () => (await asked()).map(({ name, input }) => [name, input]);
  await show('live-hold');
  await page.getByRole('button', { name: 'Mute' }).click();
  await page.keyboard.down('Space');
  await page.evaluate(() => window.dispatchEvent(new Event('blur')));
  await page.keyboard.up('Space');
  expect(await pairs()).toEqual([
    ['setMuted', { muted: true }],
    ['talkKey', { key: 'press' }],
    ['talkKey', { key: 'lost' }],
  ]);

  await show('live-hold');
  await page.getByRole('button', { name: 'Hold to talk' }).focus();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Mute' })).toBeFocused();
  await page.keyboard.press('Space');
  expect(await pairs()).toEqual([['setMuted', { muted: true }]]);

  await show('live-hold');
  await page.getByRole('button', { name: 'Appearance' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  expect(await pairs()).toEqual([]);
  await page.keyboard.press('Escape');
  expect(await pairs()).toEqual([['interruptTalk', undefined]]);
});

test('the palette works by keyboard and returns the focus', async ({ page, show }) => {
  await show('live-nobody');
  const mute = page.getByRole('button', { name: 'Mute' });
  await mute.focus();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('dark');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.getByRole('combobox')).toHaveCount(0);
  await expect(mute).toBeFocused();
});

test('frequent controls are visible with their names, the rest is behind More', async ({
  page,
  show,
  inputs,
}) => {
  for (const width of [320, 380, 900]) {
    await page.setViewportSize({ width, height: 680 });
    await show('live-parley');
    for (const name of ['Mute', 'Camera', 'Share', 'More', 'End']) {
      const button = page.getByRole('button', { name, exact: true });
      await expect(button).toBeInViewport({ ratio: 1 });
      await expect(button.getByText(name)).toBeVisible();
    }
  }
  await page.getByRole('button', { name: 'More' }).click();
  const more = page.getByRole('dialog', { name: 'More' });
  await more.getByText('Mic mode').click();
  await more.getByRole('radio', { name: 'Hold Space', exact: true }).click();
  expect(await inputs('setTalking')).toEqual([{ mode: 'hold' }]);
});

test('the mini window has the same keys as the main window, and Control+W closes it @nightly', async ({
  page,
  show,
  asked,
}) => {
  await show('mini-hold');
  await page.locator('.mini-lines').click();
  await page.keyboard.press('Space');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+w');
  expect((await asked()).map(({ name, input }) => [name, input])).toEqual([
    ['talkKey', { key: 'press' }],
    ['talkKey', { key: 'release' }],
    ['interruptTalk', undefined],
    ['closeMini', undefined],
  ]);
});

test('the pill mutes, ends, interrupts and reopens a talk from another screen, and shows that the talk has ended @nightly', async ({
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
  const names = (await asked()).map(({ name }) => name);
  const talk = ['setMuted', 'interruptTalk', 'endTalk'];
  expect(names.filter((name) => talk.includes(name))).toEqual(talk);
  await pill.locator('.talk-pill-state').click();
  await expect(page.getByRole('main', { name: 'Talk' })).toBeVisible();
  await expect(pill).toHaveCount(0);

  await show('pill-ended');
  await expect(pill).toContainText('Time’s up.');
  await pill.getByRole('button', { name: 'Dismiss' }).click();
  await expect(pill).toHaveCount(0);
});

test('Escape clears a search first, and interrupts only when pressed again @nightly', async ({
  page,
  show,
  inputs,
}) => {
  await show('pill-queued');
  await page.evaluate(() =>
    window.gallery?.emit({ name: 'talkState', payload: { phase: 'live' } }),
  );
  const search = page.getByRole('search').getByRole('textbox');
  await search.fill('dark');
  await search.press('Escape');
  await expect(search).toHaveValue('');
  const interrupted = async () => (await inputs('interruptTalk')).length;
  expect(await interrupted()).toBe(0);
  await search.press('Escape');
  expect(await interrupted()).toBe(1);
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

test('a note about a recovered error disappears, and a note about a loss stays @nightly', async ({
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

test('an answer that finishes while another screen is open is marked beside Chat @nightly', async ({
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

test('the start screen changes the server and links to the form for a new server @nightly', async ({
  page,
  show,
  inputs,
}) => {
  await show('idle-used');
  await page.getByRole('button', { name: 'Server: Studio in the attic' }).click();
  await page.getByRole('menuitemradio', { name: 'Demonstration' }).click();
  expect(await inputs('changeSettings')).toEqual([{ endpoints: { chosen: 'embedded' } }]);
  await expect(page.getByText(/^The demonstration runs on this machine/)).toBeVisible();
  await page.getByRole('button', { name: 'Server: Demonstration' }).click();
  await page.getByRole('menuitem', { name: 'Add a server…' }).click();
  await expect(page.getByRole('form', { name: 'New server' })).toBeVisible();
});

test('the list of microphones is read only when the user opens it', async ({
  page,
  show,
  inputs,
}) => {
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

test('a waveform is painted at most 15 times a second and only for sound @nightly', async ({
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

test('the keyboard stays in its place after a correction, and a refused one stays in the field @nightly', async ({
  page,
  show,
}) => {
  const words = page.locator('.words-button').first();
  const field = page.locator('.words-field');
  for (const state of ['live-own-words', 'history-talk']) {
    await show(state);
    for (const key of ['Escape', 'Enter']) {
      await words.press('Enter');
      await expect(field).toBeFocused();
      await page.keyboard.press(key);
      await expect(words).toBeFocused();
    }
    await words.click();
    await field.fill('The words that I said');
    await field.press('Enter');
    // The field closes while the core is asked.
    await expect(field).toHaveValue('The words that I said');
    await expect(field).toBeFocused();
  }
});
