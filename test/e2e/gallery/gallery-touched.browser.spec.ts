import { watchTouchedControls } from '../fixtures/pages/touched-contrast.ts';
import { expect, test } from '../fixtures/gallery-test.ts';

test('every kind of control keeps enough contrast while hovered, pressed and focused, in both themes', async ({
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
    // A kind of control looks the same in every state.
    const newKinds = await controls.markNewKinds();
    if (newKinds === 0) continue;
    kinds += newKinds;
    for (const theme of ['light', 'dark'] as const) {
      await page.evaluate((theme) => window.gallery?.restyle(theme, 100), theme);
      for (const touch of [['hover', 'active'], ['focus-visible']] as const) {
        for (const barrier of await controls.barriers(touch)) {
          const problem = `${theme}, ${touch.join(' and ')}: ${barrier}`;
          if (!barriers.has(problem)) barriers.set(problem, state);
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
