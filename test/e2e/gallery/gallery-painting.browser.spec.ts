import { expect, test } from '../fixtures/gallery-test.ts';

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
