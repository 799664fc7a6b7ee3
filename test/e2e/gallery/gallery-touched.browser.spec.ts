import { watchTouchedControls } from '../fixtures/pages/touched-contrast.ts';
import { expect, test } from '../fixtures/gallery-test.ts';

/** Where something is held, on, off or chosen; other states have the same controls. */
const lookedAt = [
  'idle-used',
  'queued',
  'live-muted',
  'live-paused',
  'live-holding',
  'live-frozen',
  'live-troubles',
  'see-options',
  'see-sources',
  'ended-asked',
  'pill-muted-sharing',
  'chat-draft',
  'chat-options',
  'settings-talking',
  'settings-servers-tested',
  'settings-privacy-asked',
  'mini-muted',
] as const;

test('controls can be read while they are pointed at, pressed and reached by keyboard, in either theme', async ({
  page,
  show,
}) => {
  test.setTimeout(300_000);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const controls = await watchTouchedControls(page);
  const barriers = new Map<string, string>();
  for (const state of lookedAt) {
    await show(state);
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
});
