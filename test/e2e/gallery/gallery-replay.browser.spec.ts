import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/gallery-test.ts';
import { waitUntilStable } from '../fixtures/pages/waits.ts';

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

test('a ten-minute timeline and a jump in it are drawn within budget', async ({ page, show }) => {
  await show('replay-ten-minutes');
  const measured = await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const canvas = document.querySelector<HTMLElement>('.timeline canvas');
    const count = () => Number(canvas?.dataset['painted']);
    const median = (all: number[]): number => all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0;
    const drawn: number[] = [];
    const jumped: number[] = [];
    for (let round = 0; round < 9; round += 1) {
      const before = count();
      const began = performance.now();
      // The largest timeline: 50 ms per point for ten minutes.
      const you = new Uint8Array(12_000).fill(100 + round);
      window.gallery?.emit({
        name: 'replayTimeline',
        payload: {
          lengthMs: 600_000,
          readyMs: 600_000,
          turns: [],
          marks: [],
          ribbon: { everyMs: 50, you, parley: you },
        },
      });
      while (count() === before) await frame();
      drawn.push(performance.now() - began);
    }
    for (let round = 0; round < 9; round += 1) {
      const began = performance.now();
      const text = `Round ${round}. ${'A sentence that was said before. '.repeat(4)}`;
      const captions = Array.from({ length: 60 }, (_, turn) => ({
        turn: turn + 1,
        text,
        heard: text.length,
        cutFrom: undefined,
        settled: true,
      }));
      window.gallery?.emit({
        name: 'replayScene',
        payload: {
          talk: {
            state: { phase: 'live' },
            talk: { mode: 'audio', endpoint: 'Demonstration' },
            controls: {
              talking: 'open',
              transmitting: true,
              passing: true,
              latched: false,
              muted: false,
              coughMuted: false,
              paused: false,
            },
            floor: 'nobody',
            devices: { microphone: { kind: 'unknown' }, speaker: { kind: 'unknown' } },
            limits: undefined,
            storage: { incognito: false, talk: { kind: 'notStored' } },
            capture: 'nothing',
            computerSound: { kind: 'off' },
            captions,
            ownWords: { status: { kind: 'off', demonstration: false }, phrases: [] },
            requests: [],
          },
          stateAt: 0,
          limitsAt: 0,
          warning: undefined,
          troubles: [],
          picture: undefined,
        },
      });
      while (!document.body.textContent.includes(`Round ${round}.`)) await frame();
      jumped.push(performance.now() - began);
    }
    return { drawn: median(drawn), jumped: median(jumped) };
  });
  test.info().annotations.push({
    type: 'measured',
    description: `the timeline of ten minutes in ${measured.drawn.toFixed(1)} ms, a jump to sixty turns in ${measured.jumped.toFixed(1)} ms, each until it is drawn`,
  });
  expect(measured.drawn).toBeLessThan(500);
  expect(measured.jumped).toBeLessThan(100);
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

test('a paused replay draws no frames', async ({ page, show }) => {
  await show('replay-pictures');
  await page.evaluate(() => {
    window.gallery?.startClock();
    window.gallery?.emit({ name: 'replayLevel', payload: { who: 'you', rmsDb: -12, peakDb: -6 } });
  });
  const waves = () =>
    page.evaluate(() =>
      Number(document.querySelector<HTMLElement>('.waveform')?.dataset['painted']),
    );
  await waitUntilStable(waves);
  const before = await waves();
  await page.waitForTimeout(500);
  expect(await waves(), 'frames while nothing moves').toBe(before);
});

test('keys control the replay, but Space presses a button that has keyboard focus', async ({
  page,
  show,
  asked,
}) => {
  await show('replay-pictures');
  for (const key of ['Space', ']', 'Control+ArrowRight']) await page.keyboard.press(key);
  await page.getByRole('button', { name: 'Next event' }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Space');
  const names = (await asked()).map(({ name }) => name);
  expect(names.filter((name) => name !== 'replayPicture')).toEqual([
    'playReplay',
    'stepReplay',
    'seekReplayWord',
    'stepReplay',
  ]);
});
