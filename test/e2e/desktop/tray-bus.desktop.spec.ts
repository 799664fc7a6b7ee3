import type { ElectronApplication } from '@playwright/test';
import { expect, test } from './desktop-test.ts';

/** A talk wakes a sound card up. */
const patient = { timeout: 30_000 };

const visible = (electron: ElectronApplication): Promise<readonly boolean[]> =>
  electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((window) => window.isVisible() && !window.isMinimized()),
  );

test('a talk is started, held and ended from the tray alone, and no window is ever shown', async ({
  desktop,
}) => {
  const { tray, start } = desktop;
  await tray.come();
  const { electron } = await start({ flags: ['--hidden'], settings: { talking: { mode: 'tap' } } });
  const labels = async () => (await tray.menu()).map(({ label }) => label);
  await expect.poll(labels, patient).toContain('Start talking');
  expect(await visible(electron)).toEqual([false]);
  expect(await tray.property('ToolTip')).toMatchObject({ 2: 'Parley · Ready' });

  await tray.choose('Start talking');
  await expect.poll(labels, patient).toContain('Live');
  await tray.choose('Push to talk');
  const held = async () =>
    (await tray.menu()).find(({ label }) => label === 'Push to talk')?.checked;
  await expect.poll(held).toBe(true);
  await tray.choose('Push to talk');
  await expect.poll(held).toBe(false);
  await tray.choose('Pause');
  await expect.poll(labels).toContain('Go on');
  await tray.choose('End');
  await expect.poll(labels, patient).toContain('The talk has ended');
  expect(await visible(electron)).toEqual([false]);
});
