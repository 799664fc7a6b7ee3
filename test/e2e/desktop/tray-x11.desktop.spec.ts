import { once } from 'node:events';
import { expect, test } from './desktop-test.ts';
import { iconShareOnScreen } from './icon-share.ts';
import { closeWindow, windows } from './window-states.ts';
import { missingPanelTool, panelNames, XPanel } from './x-panel.ts';

for (const name of panelNames) {
  test(`closing keeps Parley in the tray of ${name}, which no bus knows of; a click brings it back, and nothing is hidden when it goes`, async ({
    desktop,
  }) => {
    const missing = missingPanelTool(name);
    test.skip(missing !== undefined, `${missing} is not installed`);
    const { notifications, start, lifetime, home } = desktop;
    const panel = new XPanel(name, home, lifetime);
    await panel.come();
    const { electron } = await start();
    await panel.icon();
    await closeWindow(electron);
    await expect.poll(() => windows(electron)).toEqual(['hidden']);
    await expect.poll(() => notifications.titles()).toEqual(['Parley is still here']);
    await panel.click();
    await expect.poll(() => windows(electron)).toEqual(['shown']);
    await closeWindow(electron);
    await expect.poll(() => windows(electron)).toEqual(['hidden']);
    await panel.go();
    await expect.poll(() => windows(electron)).toEqual(['minimized']);
    await panel.come();
    await expect(async () => {
      await panel.click();
      await expect.poll(() => windows(electron), { timeout: 2000 }).toEqual(['shown']);
    }).toPass();
    await closeWindow(electron);
    await expect.poll(() => windows(electron)).toEqual(['hidden']);
  });
}

for (const name of panelNames) {
  test(`the icon is really seen in the panel of ${name} and follows the talk; its menu really opens and quits Parley`, async ({
    desktop,
  }) => {
    const missing = missingPanelTool(name);
    test.skip(missing !== undefined, `${missing} is not installed`);
    const { start, lifetime, home } = desktop;
    const panel = new XPanel(name, home, lifetime);
    await panel.come();
    const { page, electron } = await start();
    const shows = async (sign: string) =>
      iconShareOnScreen(await panel.pixels(), `resources/tray/linux/on-both/${sign}@3x.png`);
    await expect.poll(() => shows('ready')).toBeGreaterThan(0.8);
    expect(await shows('live')).toBeLessThan(0.5);
    await page.getByRole('button', { name: 'Start talking' }).click();
    await expect.poll(() => shows('live'), { timeout: 30_000 }).toBeGreaterThan(0.8);

    expect(await shows('ready')).toBeLessThan(0.5);

    await panel.openMenu();
    const exit = once(electron.process(), 'exit');
    // From the first line up is the last one.
    await panel.press('Up', 'Return');
    expect(await exit).toEqual([0, null]);
  });
}
