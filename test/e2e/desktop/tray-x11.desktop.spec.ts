import { expect, test } from './desktop-test.ts';
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
