import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './desktop-test.ts';

test('one switch adds an autostart entry that starts this program hidden', async ({ desktop }) => {
  const { page, electron } = await desktop.start();
  const entry = () =>
    readFile(join(desktop.home, 'autostart', 'parley.desktop'), 'utf8').catch(() => undefined);
  await page.getByRole('navigation').getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Desktop' }).click();
  const start = page.getByRole('switch', { name: 'Start at login' });
  await start.click();
  const path = await electron.evaluate(() => process.execPath);
  await expect.poll(entry).toContain(`Exec="${path}"`);
  expect(await entry()).toContain('"--hidden"');
  await start.click();
  await expect.poll(entry).toBeUndefined();
});

test('a window on a removed display moves to a remaining one', async ({ desktop }) => {
  const { electron } = await desktop.start();
  const bounds = () =>
    electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds());
  await electron.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.setBounds({ x: 5000, y: 4000, width: 700, height: 600 });
  });
  const area = await electron.evaluate(({ screen }) => screen.getPrimaryDisplay().workArea);
  const inReach = async () => {
    const { x = 0, y = 0 } = (await bounds()) ?? {};
    return x <= area.x + area.width - 64 && y <= area.y + area.height - 64;
  };
  // The window manager keeps an edge visible, which is too small to grab.
  await expect.poll(bounds).toMatchObject({ width: 700, height: 600 });
  await expect.poll(inReach).toBe(false);
  // The event is synthetic, because the virtual screen cannot be unplugged.
  await expect(async () => {
    await electron.evaluate(({ screen }) => {
      screen.emit('display-removed', {}, screen.getPrimaryDisplay());
    });
    expect(await inReach()).toBe(true);
  }).toPass();
  expect(await bounds()).toMatchObject({ width: 700, height: 600 });
});

test('the menu’s copy and paste work, and the menu follows the language setting', async ({
  desktop,
}) => {
  const { page, electron } = await desktop.start();
  const labels = () =>
    electron.evaluate(({ Menu }) =>
      Menu.getApplicationMenu()?.items.map(({ label }) => label.replaceAll('&', '')),
    );
  await expect.poll(labels).toEqual(['File', 'Edit', 'View', 'Window', 'Help']);
  await page.evaluate(() =>
    window.parley?.request('changeSettings', { appearance: { language: 'zh' } }),
  );
  await expect.poll(labels).toContain('编辑(E)');
  await electron.evaluate(({ Menu }) => {
    const settings = Menu.getApplicationMenu()?.getMenuItemById('settings');
    settings?.click();
  });
  const find = page.getByRole('textbox', { name: '搜索设置' });
  await find.fill('abc');
  await electron.evaluate(({ Menu, BrowserWindow }) => {
    const edit = Menu.getApplicationMenu()?.items[1]?.submenu?.items ?? [];
    const [window] = BrowserWindow.getAllWindows();
    for (const role of ['selectall', 'copy', 'cut', 'paste', 'paste']) {
      edit
        .find((item) => item.role?.toLowerCase() === role)
        ?.click(undefined, window, window?.webContents);
    }
  });
  await expect(find).toHaveValue('abcabc');
});
