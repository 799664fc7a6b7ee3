import { once } from 'node:events';
import { closeWindow, windows } from '../fixtures/pages/app-windows.ts';
import { expect, test } from './desktop-test.ts';
import { findMissingPanelTool, iconMatch, XPanel } from './x-panel.ts';

// Real trays. `tray.test.ts` and `closing-windows.test.ts` hold the rules.

const patient = { timeout: 30_000 };

test('the tray alone starts, controls and ends a talk, without any window', async ({ desktop }) => {
  const { tray, start } = desktop;
  await tray.appear();
  const { electron } = await start({ flags: ['--hidden'], settings: { talking: { mode: 'tap' } } });
  const labels = async () => (await tray.menu()).map(({ label }) => label);
  await expect.poll(labels, patient).toContain('Start talking');
  expect(await windows(electron)).toEqual(['hidden']);
  expect(await tray.property('ToolTip')).toMatchObject({ 2: 'Parley · Ready' });

  await tray.choose('Start talking');
  await expect.poll(labels, patient).toContain('Live');
  const held = async () =>
    (await tray.menu()).find(({ label }) => label === 'Push to talk')?.checked;
  for (const isHeld of [true, false]) {
    await tray.choose('Push to talk');
    await expect.poll(held).toBe(isHeld);
  }
  await tray.choose('Pause');
  await expect.poll(labels).toContain('Resume');
  await tray.choose('End');
  await expect.poll(labels, patient).toContain('The talk has ended');
  expect(await windows(electron)).toEqual(['hidden']);
});

test('closing the window keeps Parley in the tray and says so once; clicks show and hide the window', async ({
  desktop,
}) => {
  const { tray, notifications, start } = desktop;
  await tray.appear();
  const { electron } = await start();
  await tray.icon();
  for (const _time of ['with a notification', 'without one']) {
    await closeWindow(electron);
    await expect.poll(() => windows(electron)).toEqual(['hidden']);
    await expect.poll(() => notifications.titles()).toEqual(['Parley is still here']);
    await tray.click();
    await expect.poll(() => windows(electron)).toEqual(['shown']);
  }
  await tray.click();
  await expect.poll(() => windows(electron)).toEqual(['hidden']);
  expect(notifications.titles()).toEqual(['Parley is still here']);

  const exit = once(electron.process(), 'exit');
  await tray.choose('Quit Parley');
  expect(await exit).toEqual([0, null]);
});

test('closing without a tray minimises the window or quits, as the setting says', async ({
  desktop,
}) => {
  const { notifications, start } = desktop;
  const { electron, page } = await start({ settings: { desktop: { closing: 'keep' } } });
  await closeWindow(electron);
  await expect.poll(() => windows(electron)).toEqual(['minimized']);
  await expect.poll(() => notifications.titles()).toEqual(['Parley was minimised']);
  await notifications.click('Parley was minimised');
  await expect.poll(() => windows(electron)).toEqual(['shown']);
  await expect(page.getByRole('heading', { name: 'Desktop' })).toBeVisible();
  await page.getByRole('radio', { name: 'Quit', exact: true }).click();
  await expect(page.getByRole('radio', { name: 'Quit', exact: true })).toBeChecked();
  const exit = once(electron.process(), 'exit');
  await closeWindow(electron);
  expect(await exit).toEqual([0, null]);
});

test('an XEmbed tray shows the icon of the talk, keeps the closed window, and quits', async ({
  desktop,
}) => {
  const missing = findMissingPanelTool();
  test.skip(missing !== undefined, `${missing} is not installed`);
  const { start, lifetime, home } = desktop;
  const panel = new XPanel(home, lifetime);
  await panel.start();
  const { page, electron } = await start();
  const shows = async (sign: string) =>
    iconMatch(await panel.pixels(), `resources/tray/linux/on-both/${sign}@3x.png`);
  await expect.poll(() => shows('ready')).toBeGreaterThan(0.8);
  expect(await shows('live')).toBeLessThan(0.5);

  await closeWindow(electron);
  await expect.poll(() => windows(electron)).toEqual(['hidden']);
  await panel.stop();
  await expect.poll(() => windows(electron)).toEqual(['minimized']);
  await panel.start();
  await expect(async () => {
    await panel.click();
    await expect.poll(() => windows(electron), { timeout: 2000 }).toEqual(['shown']);
  }).toPass();

  await page.getByRole('button', { name: 'Start talking' }).click();
  await expect.poll(() => shows('live'), patient).toBeGreaterThan(0.8);
  expect(await shows('ready')).toBeLessThan(0.5);
  await panel.openMenu();
  const exit = once(electron.process(), 'exit');
  // Up from the first entry wraps to the last.
  await panel.press('Up', 'Return');
  expect(await exit).toEqual([0, null]);
});
