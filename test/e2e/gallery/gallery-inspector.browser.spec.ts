import { expect, test } from '../fixtures/gallery-test.ts';
import { waitUntilStable } from '../fixtures/pages/waits.ts';

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
    const commits = gallery?.commits() ?? [];

    const list = document.querySelector('.frames');
    const waits: number[] = [];
    let before = performance.now();
    for (let count = 0; count < 60; count += 1) {
      if (list !== null) list.scrollTop = (list.scrollHeight * count) / 60;
      await frame();
      const now = performance.now();
      waits.push(now - before);
      before = now;
    }
    return { commits, waits, rows: document.querySelectorAll('.frame').length };
  });
  const median = (values: readonly number[]): number =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
  test.info().annotations.push({
    type: 'measured',
    description:
      `10,000 events: ${median(measured.commits).toFixed(1)} ms to take 50 more, ` +
      `a frame every ${median(measured.waits).toFixed(1)} ms while scrolling`,
  });
  expect(measured.rows).toBeGreaterThan(5);
  expect(measured.rows).toBeLessThan(60);
  expect(median(measured.commits)).toBeLessThan(8);
  expect(median(measured.waits)).toBeLessThan(67);
});

test('hidden graphs are not drawn', async ({ page, show }) => {
  await show('inspector');
  const painted = () =>
    page.evaluate(() =>
      Number(document.querySelector<HTMLElement>('.graph canvas')?.dataset['painted'] ?? 0),
    );
  const step = () =>
    page.evaluate(() =>
      window.gallery?.emit({
        name: 'talkStep',
        payload: { buffer: { bufferMs: 1, targetMs: 1 }, latest: {} },
      }),
    );
  await waitUntilStable(painted);
  const before = await painted();
  await step();
  await expect.poll(painted).toBeGreaterThan(before);
  await page.evaluate(() => {
    const graphs = document.querySelector<HTMLElement>('.graphs');
    if (graphs !== null) graphs.style.display = 'none';
  });
  // The observer reports the change a moment later.
  const drawnForAStep = async () => {
    const hidden = await painted();
    await step();
    await page.waitForTimeout(400);
    return (await painted()) - hidden;
  };
  await expect.poll(drawnForAStep).toBe(0);
});

test('the inspector shows the input since the last answer', async ({ page, show }) => {
  await show('inspector');
  await expect(page.locator('.unanswered')).toHaveText(
    'Since the last answer 6 s of speech heard, 60 steps only listened to',
  );
});

test('the inspector shows how the memory is spent, and which parts are estimates', async ({
  page,
  show,
}) => {
  await show('inspector');
  const memory = page.locator('.memory');
  await expect(memory).toHaveText('Memorypictures about 1,856sound about 1,010words 486left 6,120');
  const shares = () =>
    memory.evaluate((figure) => {
      const bar = figure.querySelector('.memory-bar');
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
        memory: { spent: { pictures: 0, sound: 12, words: 40 }, estimated: [] },
      },
    }),
  );
  await expect(memory).toHaveText('Memorypictures 0sound 12words 40left 6,120');
});

test('the inspector watches the wire only while it is open', async ({ page, show, inputs }) => {
  await show('inspector-empty');
  const watched = async () =>
    (await inputs('watchWire')).map((input) => (input as { readonly on: boolean }).on);
  await expect.poll(watched).toEqual([true]);
  await page.keyboard.press('Control+i');
  await expect.poll(watched).toEqual([true, false]);
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

test('rows fit their text at any text size', async ({ page, show }) => {
  for (const text of [100, 200]) {
    await show('inspector', { text });
    await expect(page.locator('.frame').first()).toBeVisible();
    const cut = await page
      .locator('.frame-name, .frame-text')
      .evaluateAll((lines) =>
        lines.flatMap((line) =>
          line.scrollHeight > line.clientHeight + 1 ? [line.textContent] : [],
        ),
      );
    expect(cut, `at ${text} %`).toEqual([]);
  }
});
