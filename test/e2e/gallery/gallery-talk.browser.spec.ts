import { expect, test } from '../fixtures/gallery-test.ts';
import { waitUntilStable } from '../fixtures/pages/waits.ts';

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
        const place = element?.closest('.caption, .only-heard, main');
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
  expect(measured.changed.filter((place) => place !== 'only-heard')).toEqual(['caption']);
  // One commit per word, plus the screen reader's sentences.
  expect(measured.commits.length).toBeLessThan(64);
  const sorted = measured.commits.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  test.info().annotations.push({
    type: 'measured',
    description: `a caption's word after 10,000 others: median ${median.toFixed(2)} ms`,
  });
  expect(median).toBeLessThan(4);
  expect(measured.lines, 'lines in the page').toBeLessThan(40);
});

test('an idle waveform draws no frames, and comes to rest after speech', async ({ page, show }) => {
  await show('live-nobody');
  await page.evaluate(() => window.gallery?.startClock());
  const painted = () =>
    page.evaluate(() => Number(document.querySelector('canvas')?.dataset['painted']));
  await waitUntilStable(painted);
  const before = await painted();
  await page.waitForTimeout(500);
  expect(await painted(), 'frames while nothing moves').toBe(before);
  await page.evaluate(() =>
    window.gallery?.emit({ name: 'level', payload: { who: 'parley', rmsDb: -15, peakDb: -5 } }),
  );
  await expect.poll(painted).toBeGreaterThan(before + 5);
  await waitUntilStable(painted);
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

test('captions follow the newest words at any rate', async ({ page, show }) => {
  await page.setViewportSize({ width: 900, height: 680 });
  await show('live-empty');
  await page.evaluate(async () => {
    for (let word = 0; word < 900; word += 1) {
      const turn = Math.floor(word / 20);
      window.gallery?.emit({
        name: 'caption',
        payload: { turn, added: `word${word} `, ...(word % 20 === 19 ? { settled: true } : {}) },
      });
      if (word % 4 === 0) await new Promise((rested) => setTimeout(rested, 5));
    }
  });
  await expect(page.locator('.caption').last()).toContainText('word899');
  const back = page.getByRole('button', { name: 'Back to now' });
  await expect(back).toHaveCount(0);
  await page.locator('.caption-scroller').hover();
  await page.mouse.wheel(0, -400);
  await expect(back).toBeVisible();
  await page.mouse.wheel(0, 800);
  await expect(back).toHaveCount(0);
});

test('a talk that could not start links to its server’s settings', async ({ page, show }) => {
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

test('the talk key handles hold, repeat and blur, and focused buttons keep Space', async ({
  page,
  show,
  asked,
}) => {
  await show('live-hold');
  const pairs = async () => (await asked()).map(({ name, input }) => [name, input]);
  await page.locator('body').click({ position: { x: 5, y: 300 } });
  await page.keyboard.down('Space');
  await page.keyboard.down('Space');
  await page.keyboard.up('Space');
  expect(await pairs()).toEqual([
    ['talkKey', { key: 'press' }],
    ['talkKey', { key: 'release' }],
  ]);

  await page.keyboard.down('Space');
  await page.evaluate(() => window.dispatchEvent(new Event('blur')));
  await page.keyboard.up('Space');
  expect((await pairs()).slice(2)).toEqual([
    ['talkKey', { key: 'press' }],
    ['talkKey', { key: 'lost' }],
  ]);

  await test.step('Space is the talk key after a click on a button', async () => {
    await show('live-hold');
    await page.getByRole('button', { name: 'Mute' }).click();
    await page.keyboard.press('Space');
    expect(await pairs()).toEqual([
      ['setMuted', { muted: true }],
      ['talkKey', { key: 'press' }],
      ['talkKey', { key: 'release' }],
    ]);
  });

  await test.step('Space presses a button focused by keyboard', async () => {
    await show('live-hold');
    await page.getByRole('button', { name: 'Hold to talk' }).focus();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Mute' })).toBeFocused();
    await page.keyboard.press('Space');
    expect((await pairs()).filter(([name]) => name !== 'talkKey')).toEqual([
      ['setMuted', { muted: true }],
    ]);
  });

  await test.step('Escape closes what is open, then interrupts', async () => {
    await show('live-hold');
    await page.getByRole('button', { name: 'Appearance' }).click();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toHaveCount(0);
    expect(await pairs()).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await pairs()).toEqual([['interruptTalk', undefined]]);
  });
});

test('the palette works by keyboard and returns the focus', async ({ page, show }) => {
  await show('live-nobody');
  await page.getByRole('button', { name: 'Mute' }).focus();
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox');
  await expect(field).toBeFocused();
  await page.keyboard.type('dark');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(field).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Mute' })).toBeFocused();

  await page.keyboard.press('Control+k');
  await page.keyboard.type('中文');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: '静音' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
});

test('captions stay during a reconnect, and the user can retry at once', async ({
  page,
  show,
  asked,
}) => {
  await show('reconnecting-after-words');
  await expect(page.locator('.caption').last()).toBeInViewport();
  await page.getByRole('button', { name: 'Try now' }).click();
  expect((await asked()).map(({ name }) => name)).toEqual(['networkBack']);
});

test('frequent controls are visible with their names, the rest is behind More', async ({
  page,
  show,
  asked,
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
  const more = page.getByRole('dialog', { name: 'More' });
  await page.getByRole('button', { name: 'More' }).click();
  await more.getByRole('button', { name: 'Pause' }).click();
  await expect(more).toHaveCount(0);
  await page.getByRole('button', { name: 'More' }).click();
  await more.getByText('Mic mode').click();
  await more.getByRole('radio', { name: 'Hold Space', exact: true }).click();
  const done = (await asked()).filter(({ name }) => name.startsWith('set'));
  expect(done).toEqual([
    { name: 'setPaused', input: { paused: true } },
    { name: 'setTalking', input: { mode: 'hold' } },
  ]);
});

test('the mini window has the same keys, and Control+W closes it', async ({
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

  await test.step('Tab reaches every control', async () => {
    await show('mini-hold');
    const reached: (string | null)[] = [];
    for (let step = 0; step < 6; step += 1) {
      await page.keyboard.press('Tab');
      reached.push(
        await page.evaluate(() => {
          const { activeElement: focused } = document;
          return focused?.getAttribute('aria-label') ?? focused?.textContent ?? null;
        }),
      );
    }
    expect(reached).toEqual([
      'Open the large window',
      'Close',
      'Hold to talk',
      'Interrupt',
      'Mute',
      'End',
    ]);
  });
});

test('the endings and reconnects of the mini window have no English in Chinese', async ({
  page,
  show,
}) => {
  for (const state of ['mini-ended', 'mini-reconnecting']) {
    await show(state, { language: 'zh' });
    expect(await page.locator('.mini-stage').innerText(), state).not.toMatch(/[a-z]{3,}/u);
  }
});
