import type { Page } from '@playwright/test';
import type { FrameArea } from '../../../shared/vision/vision-options.ts';
import { expect, test } from '../fixtures/gallery-test.ts';

test('the shortcut list opens by key and by command, and returns the focus', async ({
  page,
  show,
  asked,
}) => {
  await show('live-parley');
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  const mute = page.getByRole('button', { name: 'Mute' });
  await mute.focus();
  for (const key of ['?', 'F1']) {
    await page.keyboard.press(key);
    await expect(list.getByText('Ctrl + K')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(list).toHaveCount(0);
    await expect(mute).toBeFocused();
  }
  expect(await asked(), 'Escape interrupts nobody').toEqual([]);

  await test.step('the list and the command palette replace each other', async () => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('shortcuts');
    await page.keyboard.press('Enter');
    await expect(list.getByRole('button', { name: 'Close' })).toBeFocused();
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox')).toBeFocused();
    await expect(list).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(mute).toBeFocused();
  });
});

test('no shortcut list opens over a question', async ({ page, show }) => {
  for (const key of ['F1', '?']) {
    await show('settings-privacy-asked');
    await page.keyboard.press(key);
    await expect(page.getByText('Keyboard shortcuts')).toHaveCount(0);
    await expect(page.getByRole('dialog', { name: /^Delete / })).toBeVisible();
  }
});

test('the standard shortcuts open a new chat, settings, screens and search', async ({
  page,
  show,
  asked,
}) => {
  await show('idle');
  await page.keyboard.press('Control+,');
  await expect(page.getByRole('main', { name: 'Settings' })).toBeVisible();
  await page.keyboard.press('Control+f');
  await expect(page.getByRole('textbox', { name: 'Find a setting' })).toBeFocused();
  await page.keyboard.press('Control+3');
  await expect(page.getByRole('main', { name: 'History' })).toBeVisible();
  await page.keyboard.press('Control+n');
  await expect(page.getByRole('main', { name: 'Chat' })).toBeVisible();
  expect((await asked()).map(({ name }) => name)).toContain('beginChat');
  await expect(page.getByRole('textbox', { name: 'Message', exact: true })).toBeFocused();
});

const removals = [
  [
    'a voice',
    'settings-voices',
    '.voice',
    1,
    'removeVoice',
    (page: Page) => page.locator('.voice').first().getByRole('button', { name: 'Remove' }).click(),
  ],
  [
    'a message and its answer',
    'chat-full',
    '.turn:visible',
    2,
    'removeChatTurn',
    (page: Page) =>
      page.locator('.question').first().getByRole('button', { name: 'Delete' }).click(),
  ],
  [
    'a server',
    'settings-servers',
    '.server',
    1,
    'removeEndpoint',
    async (page: Page) => {
      await page.getByRole('button', { name: /^Edit/ }).first().click();
      await page.getByRole('button', { name: 'Remove', exact: true }).click();
    },
  ],
] as const;

for (const [what, state, rows, removed, request, remove] of removals)
  test(`the removal of ${what} shows at once, can be undone, and is requested when its notice is dismissed`, async ({
    page,
    show,
    inputs,
  }) => {
    await show(state);
    const shown = page.locator(rows);
    const before = await shown.count();
    await remove(page);
    await expect(shown).toHaveCount(before - removed);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(shown).toHaveCount(before);
    expect(await inputs(request)).toEqual([]);
    await remove(page);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    expect(await inputs(request)).toHaveLength(1);
  });

test('the guide opens by command, can be searched, and closes on Escape', async ({
  page,
  show,
}) => {
  await show('idle');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('manual');
  await page.keyboard.press('Enter');
  const guide = page.getByRole('dialog', { name: 'Guide' });
  await expect(guide.locator('img')).toHaveCount(16);
  await guide.getByLabel('Search the guide').fill('three short steps');
  await guide.getByRole('link', { name: 'Connect a server' }).click();
  await expect(guide.getByRole('heading', { name: 'Connect a server' })).toBeFocused();
  await expect
    .poll(() =>
      guide
        .locator('img')
        .nth(10)
        .evaluate((img: HTMLImageElement) => img.naturalWidth),
    )
    .toBe(900);
  await guide.getByLabel('Search the guide').fill('bindsym');
  await expect(guide.getByRole('heading', { level: 3 })).toHaveText(['Talk with a key']);
  expect(
    await page.evaluate(() => [...(CSS.highlights.get('guide-found') ?? [])].map(String)),
  ).toEqual(['bindsym', 'bindsym']);
  await page.keyboard.press('Escape');
  await expect(guide.getByLabel('Search the guide')).toHaveValue('');
  await page.keyboard.press('Escape');
  await expect(guide).toHaveCount(0);
});

test('a part of the screen is chosen by keys or by pointer', async ({ page, show, asked }) => {
  await show('cursor-region');
  const picture = page.getByRole('group');
  const taken = async () => (await asked()).map(({ name, input }) => [name, input]);
  await expect(picture).toHaveAccessibleName('No part is chosen');

  await test.step('Enter takes nothing before a part is chosen', async () => {
    await page.keyboard.press('Enter');
    expect(await taken()).toEqual([]);
  });

  await test.step('arrows move a part, and Shift changes its size', async () => {
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowUp');
    await expect(picture).toHaveAccessibleName('Part: 27 % left, 25 % top, 50 % wide, 48 % high');
    await page.keyboard.press('Enter');
    const area = { left: 0.27, top: 0.25, width: 0.5, height: 0.48 };
    expect(await taken()).toEqual([['takeRegion', { area }]]);
  });

  await test.step('releasing the pointer takes the part, and a click takes nothing', async () => {
    const box = await picture.boundingBox();
    if (box === null) throw new Error('The picture is not drawn.');
    await page.mouse.click(box.x + 10, box.y + 10);
    await page.mouse.move(box.x + box.width * 0.75, box.y + box.height * 0.5);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.25, box.y + box.height * 0.25, { steps: 3 });
    await page.mouse.up();
    const requests = await taken();
    expect(requests.map(([name]) => name)).toEqual(['takeRegion', 'takeRegion']);
    const area = areaOf(requests.at(-1)?.[1]);
    expect(area.left).toBeCloseTo(0.25, 2);
    expect(area.top).toBeCloseTo(0.25, 2);
    expect(area.width).toBeCloseTo(0.5, 2);
    expect(area.height).toBeCloseTo(0.25, 2);
  });

  await test.step('Escape cancels', async () => {
    await page.keyboard.press('Escape');
    expect((await taken()).at(-1)).toEqual(['cancelRegion', undefined]);
  });
});

function areaOf(input: unknown): FrameArea {
  return (input as { readonly area: FrameArea }).area;
}

const painted = (page: Page) => () =>
  page.evaluate(() =>
    Number(document.querySelector<HTMLElement>('.timeline canvas')?.dataset['painted']),
  );

test('a tick moves the cursor without rendering, and the timeline is drawn once', async ({
  page,
  show,
}) => {
  await show('replay-ten-minutes');
  const once = await painted(page)();
  const seen = await page.evaluate(async () => {
    const gallery = window.gallery;
    const cursor = document.querySelector<HTMLElement>('.timeline-cursor');
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    // Waits until the captions have measured their lines.
    for (let still = 0; still < 20;) {
      await frame();
      still = gallery?.commits().length === 0 ? still + 1 : 0;
    }
    const places = new Set<string>();
    for (let tick = 1; tick < 10; tick += 1) {
      const at = 92_000 + tick * 100;
      gallery?.emit({
        name: 'replayPlay',
        payload: { at, playing: true, speed: 1, sound: 'heard' },
      });
      gallery?.emit({
        name: 'replayLevel',
        payload: { who: 'parley', rmsDb: -20, peakDb: -10 },
      });
      await frame();
      places.add(cursor?.style.left ?? '');
    }
    return { places: places.size, commits: gallery?.commits().length };
  });
  expect(seen).toEqual({ places: 9, commits: 0 });
  expect(await painted(page)(), 'drawings of the timeline').toBe(once);
  // A resize draws the timeline again.
  await page.setViewportSize({ width: 600, height: 680 });
  await expect.poll(painted(page)).toBeGreaterThan(once);
});

test('a ten-minute timeline is drawn within budget', async ({ page, show }) => {
  await show('replay-ten-minutes');
  const drawnMs = await page.evaluate(async () => {
    const canvas = document.querySelector<HTMLElement>('.timeline canvas');
    const count = () => Number(canvas?.dataset['painted']);
    const drawn: number[] = [];
    for (let round = 0; round < 9; round += 1) {
      const before = count();
      const began = performance.now();
      // The largest timeline: 50 ms per point for ten minutes.
      const you = new Uint8Array(12_000).fill(100 + round);
      const ribbon = { everyMs: 50, you, parley: you };
      const payload = { lengthMs: 600_000, readyMs: 600_000, turns: [], marks: [], ribbon };
      window.gallery?.emit({ name: 'replayTimeline', payload });
      while (count() === before) await new Promise(requestAnimationFrame);
      drawn.push(performance.now() - began);
    }
    return drawn.toSorted((a, b) => a - b)[4] ?? Number.NaN;
  });
  const description = `the timeline of ten minutes in ${drawnMs.toFixed(1)} ms`;
  test.info().annotations.push({ type: 'measured', description });
  expect(drawnMs).toBeLessThan(500);
});

test('the timeline is a slider that announces its time, and a tooltip names the event under the pointer', async ({
  page,
  show,
  asked,
}) => {
  await show('replay-pictures');
  const slider = page.getByRole('slider', { name: 'Place in the talk' });
  await expect(slider).toHaveAttribute('aria-valuenow', '41');
  await expect(slider).toHaveAttribute('aria-valuemax', '120');
  await expect(slider).toHaveAttribute('aria-valuetext', '0:41 of 2:00');
  const box = await slider.boundingBox();
  if (box === null) throw new Error('The timeline is not on the screen.');
  // Points at the picture at 31 s.
  const x = Math.ceil(box.x + (31 / 120) * box.width);
  await page.mouse.move(x, box.y + box.height - 6);
  await expect(page.locator('.timeline-tip')).toContainText('0:31');
  await expect(page.locator('.timeline-tip')).toContainText('Picture');
  await expect(page.locator('.timeline-tip img')).toBeVisible();
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + 4, { steps: 5 });
  await page.mouse.up();
  const seeks = (await asked()).filter(({ name }) => name === 'seekReplay');
  // The gallery's core never answers, and a drag waits for the first answer before it seeks again.
  expect(seeks).toHaveLength(1);
  expect(seeks[0]?.input).toEqual({ at: Math.round(((x - box.x) / box.width) * 120_000) });
});

test('ten thousand events render few rows, and adding more is cheap', async ({ page, show }) => {
  await page.setViewportSize({ width: 1500, height: 900 });
  await show('inspector-empty');
  const measured = await page.evaluate(async () => {
    const gallery = window.gallery;
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    let number = 0;
    const emit = (): void => {
      const frames = Array.from({ length: 50 }, () => ({
        at: (number += 1),
        connection: 1,
        mode: 'audio',
        direction: number % 2 === 0 ? ('in' as const) : ('out' as const),
        length: 43_000,
        text: `{"type":"response.delta","text":"event ${number}"}`,
      }));
      gallery?.emit({ name: 'wire', payload: { frames, missed: 0 } });
    };
    for (let count = 0; count < 200; count += 1) emit();
    await frame();
    await frame();
    gallery?.commits();
    for (let count = 0; count < 40; count += 1) {
      emit();
      await frame();
    }
    const commits = (gallery?.commits() ?? []).toSorted((a, b) => a - b);
    const median = commits[commits.length >> 1] ?? Number.NaN;
    return { median, rows: document.querySelectorAll('.frame').length };
  });
  const description = `10,000 events: ${measured.median.toFixed(1)} ms to take 50 more`;
  test.info().annotations.push({ type: 'measured', description });
  expect(measured.rows).toBeGreaterThan(5);
  expect(measured.rows).toBeLessThan(60);
  expect(measured.median).toBeLessThan(8);
});

test('the inspector shows how the context is spent, and which parts are estimates', async ({
  page,
  show,
}) => {
  await show('inspector');
  const memory = page.locator('.context');
  await expect(memory).toHaveText('Memorypictures about 1,856sound about 1,010words 486left 6,120');
  const shares = () =>
    memory.evaluate((figure) => {
      const bar = figure.querySelector('.context-bar');
      const all = bar?.clientWidth ?? 1;
      return [...(bar?.children ?? [])].map(({ clientWidth }) =>
        Math.round((100 * clientWidth) / all),
      );
    });
  expect(await shares()).toEqual([20, 11, 5]);
  await page.evaluate(() =>
    window.gallery?.emit({
      name: 'talkStep',
      payload: {
        buffer: undefined,
        latest: {},
        context: { spent: { pictures: 0, sound: 12, words: 40 }, estimated: [] },
      },
    }),
  );
  await expect(memory).toHaveText('Memorypictures 0sound 12words 40left 6,120');
});

test('the list takes most of a narrow window, and graphs are shown on request', async ({
  page,
  show,
}) => {
  await page.setViewportSize({ width: 380, height: 760 });
  await show('inspector');
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  const share = () =>
    inspector.evaluate((element) => {
      const list = element.querySelector('.frames');
      return (list?.clientHeight ?? 0) / element.clientHeight;
    });
  const graphs = page.locator('.graph');
  await expect(graphs).toHaveCount(0);
  expect(await share()).toBeGreaterThan(0.55);
  await inspector.getByRole('button', { name: 'Show graphs' }).click();
  await expect(graphs).toHaveCount(5);
  await inspector.getByRole('button', { name: 'Hide graphs' }).click();
  await expect(graphs).toHaveCount(0);

  await page.setViewportSize({ width: 1500, height: 900 });
  await show('inspector');
  await expect(graphs).toHaveCount(5);
});

test('a screen chosen below a narrow window’s inspector is shown', async ({ page, show }) => {
  await page.setViewportSize({ width: 700, height: 760 });
  await show('inspector');
  const body = page.locator('.shell-body');
  await body.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Find a setting' })).toBeInViewport();
});

test('the keyboard stays in the window after the inspector is closed', async ({ page, show }) => {
  await show('inspector-graphs');
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await inspector.getByRole('button', { name: 'Close the inspector' }).press('Enter');
  await expect(inspector).toHaveCount(0);
  await expect(page.locator('.shell :focus')).toHaveCount(1);
});

test('the first steps and the settings name a microphone that the system calls “default”', async ({
  page,
  show,
}) => {
  const using = { kind: 'using', device: 'default' } as const;
  for (const [state, language, name] of [
    ['first-listening', 'en', 'System microphone'],
    ['first-listening', 'zh', '系统麦克风'],
    ['settings-sound-metered', 'zh', '正在接收“系统麦克风”的声音'],
  ] as const) {
    await show(state, { language });
    await page.evaluate(
      (payload) => window.gallery?.emit({ name: 'microphoneMeter', payload }),
      using,
    );
    await expect(page.getByText(name, { exact: true })).toBeVisible();
  }
});

test('a click beside an open menu only closes the menu', async ({ page, show }) => {
  await show('live-empty');
  const history = page.getByRole('button', { name: 'History', exact: true });
  const place = await history.boundingBox();
  if (place === null) throw new Error('The button is not drawn.');
  const [x, y] = [place.x + place.width / 2, place.y + place.height / 2];
  await page.getByRole('button', { name: 'Appearance', exact: true }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await page.mouse.click(x, y);
  await expect(page.getByRole('menu')).toBeHidden();
  await expect(history).not.toHaveAttribute('aria-current');
  await page.mouse.click(x, y);
  await expect(history).toHaveAttribute('aria-current', 'page');
});

test('names of screens are in the language of the page', async ({ page, show }) => {
  await show('see-pick-screen', { language: 'zh' });
  await expect(page.getByRole('button', { name: '屏幕 2', exact: true })).toBeVisible();
});
