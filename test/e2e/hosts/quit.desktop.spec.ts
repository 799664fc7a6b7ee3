import { readFile } from 'node:fs/promises';
import { expect, test } from '../fixtures/host-test.ts';
import { openDesktop } from '../fixtures/open-desktop.ts';
import { openAbout } from '../fixtures/pages/settings-screen.ts';

test('quitting ends the core’s lifetime', async ({ electron, page, running }, testInfo) => {
  await openAbout(page);
  await expect(page.getByRole('listitem').getByRole('status')).toHaveText(['Loads', 'Loads']);
  // The core's lifetime removes the request handlers; quitting alone does not.
  const file = testInfo.outputPath('removed-handlers');
  await electron.evaluate(({ ipcMain }, file) => {
    const { appendFileSync } = process.getBuiltinModule('node:fs');
    const remove = ipcMain.removeHandler.bind(ipcMain);
    ipcMain.removeHandler = (channel) => {
      appendFileSync(file, channel);
      remove(channel);
    };
  }, file);
  await running.close();
  expect(await readFile(file, 'utf8')).toBe('parley:requestparley:dropped');
});

test('quitting while the page is loading ends with 0', async ({ host, language }) => {
  const starts = [1, 2].map(async () => {
    const running = await openDesktop({ kind: host, language, painted: false });
    await running.close(); // rejects unless Electron ended with 0
  });
  await Promise.all(starts);
});
