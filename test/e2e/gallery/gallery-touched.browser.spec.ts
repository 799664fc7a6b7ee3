import { watchTouchedControls } from '../fixtures/pages/touched-contrast.ts';
import { expect, test } from '../fixtures/gallery-test.ts';

test('every kind of control can be read while it is pointed at, pressed and reached by keyboard, in either theme', async ({
  page,
  show,
  states,
}) => {
  test.setTimeout(300_000);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const controls = await watchTouchedControls(page);
  const barriers = new Map<string, string>();
  let kinds = 0;
  for (const state of states) {
    await show(state);
    // What other states have shown looks the same here.
    const fresh = await controls.markFresh();
    if (fresh === 0) continue;
    kinds += fresh;
    for (const theme of ['light', 'dark'] as const) {
      await page.evaluate((theme) => window.gallery?.restyle(theme, 100), theme);
      for (const touch of [['hover', 'active'], ['focus-visible']] as const) {
        for (const barrier of await controls.barriers(touch)) {
          const told = `${theme}, ${touch.join(' and ')}: ${barrier}`;
          if (!barriers.has(told)) barriers.set(told, state);
        }
      }
    }
  }
  expect([...barriers]).toEqual([]);
  test.info().annotations.push({
    type: 'measured',
    description: `${kinds} kinds of controls in ${states.length} states`,
  });
  expect(kinds).toBeGreaterThan(100);
});
