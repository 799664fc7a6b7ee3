import { which } from '../../../scripts/lib/run.mjs';
import { expect, test } from '../desktop/desktop-test.ts';
import { openMini, visibleWindows } from '../fixtures/pages/app-windows.ts';
import { skipWithoutSoundCard } from '../fixtures/sound-card.ts';
import { openEditor, untilKeyWorks, watchSmallWindow, xdotool } from './open-editor.ts';

test.beforeAll(() => {
  const missing = ['xdotool', 'l3afpad'].find((tool) => which(tool) === undefined);
  test.skip(missing !== undefined, `${missing ?? ''} is not installed`);
});

test('the small window takes the place of the mini window with its talk, and gives it back', async ({
  desktop,
}) => {
  skipWithoutSoundCard();
  test.setTimeout(120_000);
  await desktop.tray.appear();
  const { electron, page: main } = await desktop.start({ settings: { cursor: { enabled: true } } });
  const small = await watchSmallWindow(electron);
  await main.getByRole('button', { name: 'Start talking' }).click();
  await expect(main.getByRole('button', { name: 'Interrupt' })).toBeVisible({ timeout: 30_000 });
  await openMini(electron, () => main.getByRole('button', { name: 'Mini window' }).click());
  await main.evaluate(() => window.parley?.request('showMini', undefined));
  const editor = await openEditor(desktop.lifetime, desktop.home, 'A lighthouse stands here.');
  await untilKeyWorks(main, 'ask');
  await xdotool('key', 'ctrl+alt+space');
  await expect.poll(small.isFocused).toBe(true);
  const page = await small.page();
  const talk = page.getByRole('region', { name: 'Controls' });
  await expect(talk.getByRole('status')).toHaveText('Live');
  const isMiniVisible = async () => (await visibleWindows(electron)).includes('mini');
  await expect.poll(isMiniVisible).toBe(false);
  await talk.getByRole('button', { name: 'Mute' }).click();
  await expect(talk.getByText('You are muted')).toBeVisible();
  await xdotool('key', 'Escape');
  await expect.poll(isMiniVisible).toBe(true);
  await expect.poll(editor.hasFocus).toBe(true);
});
