import { once } from 'node:events';
import { closeWindow, windows } from '../fixtures/pages/app-windows.ts';
import { expect, test } from './desktop-test.ts';
import { iconMatchOnScreen } from './icon-match.ts';
import { findMissingPanelTool, panelNames, XPanel } from './x-panel.ts';

for (const name of panelNames) {
  test(`closing keeps Parley in the XEmbed tray of ${name}; a click shows the window, and it is minimised when the panel disappears`, async ({
    desktop,
  }) => {
    const missing = findMissingPanelTool(name);
    test.skip(missing !== undefined, `${missing} is not installed`);
    const { notifications, start, lifetime, home } = desktop;
    const panel = new XPanel(name, home, lifetime);
    await panel.start();
    const { electron } = await start();
    await panel.icon();
    await closeWindow(electron);
    await expect.poll(() => windows(electron)).toEqual(['hidden']);
    await expect.poll(() => notifications.titles()).toEqual(['Parley is still here']);
    await panel.click();
    await expect.poll(() => windows(electron)).toEqual(['shown']);
    await closeWindow(electron);
    await expect.poll(() => windows(electron)).toEqual(['hidden']);
    await panel.stop();
    await expect.poll(() => windows(electron)).toEqual(['minimized']);
    await panel.start();
    await expect(async () => {
      await panel.click();
      await expect.poll(() => windows(electron), { timeout: 2000 }).toEqual(['shown']);
    }).toPass();
    await closeWindow(electron);
    await expect.poll(() => windows(electron)).toEqual(['hidden']);
  });
}

for (const name of panelNames) {
  test(`the icon is visible in the panel of ${name} and follows the talk, and its menu quits Parley`, async ({
    desktop,
  }) => {
    const missing = findMissingPanelTool(name);
    test.skip(missing !== undefined, `${missing} is not installed`);
    const { start, lifetime, home } = desktop;
    const panel = new XPanel(name, home, lifetime);
    await panel.start();
    const { page, electron } = await start();
    const shows = async (sign: string) =>
      iconMatchOnScreen(await panel.pixels(), `resources/tray/linux/on-both/${sign}@3x.png`);
    await expect.poll(() => shows('ready')).toBeGreaterThan(0.8);
    expect(await shows('live')).toBeLessThan(0.5);
    await page.getByRole('button', { name: 'Start talking' }).click();
    await expect.poll(() => shows('live'), { timeout: 30_000 }).toBeGreaterThan(0.8);

    expect(await shows('ready')).toBeLessThan(0.5);

    await panel.openMenu();
    const exit = once(electron.process(), 'exit');
    // Up from the first entry wraps to the last.
    await panel.press('Up', 'Return');
    expect(await exit).toEqual([0, null]);
  });
}
