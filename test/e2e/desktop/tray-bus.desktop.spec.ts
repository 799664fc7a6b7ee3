import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { closeWindow, windows } from '../fixtures/pages/app-windows.ts';
import { answers, ask, openChat } from '../fixtures/pages/chat-page.ts';
import { expect, test } from './desktop-test.ts';
import { iconMatch } from './icon-match.ts';

const patient = { timeout: 30_000 };

test('the tray alone starts, controls and ends a talk, without any window', async ({ desktop }) => {
  const { tray, start } = desktop;
  await tray.appear();
  const { electron } = await start({ flags: ['--hidden'], settings: { talking: { mode: 'tap' } } });
  const labels = async () => (await tray.menu()).map(({ label }) => label);
  await expect.poll(labels, patient).toContain('Start talking');
  expect(await windows(electron)).toEqual(['hidden']);
  expect(await tray.property('ToolTip')).toMatchObject({ 2: 'Parley · Ready' });
  const shows = async (sign: string) =>
    iconMatch(await tray.property('IconPixmap'), `resources/tray/linux/on-both/${sign}@3x.png`);
  expect(await shows('ready')).toBeGreaterThan(0.98);
  expect(await shows('live')).toBeLessThan(0.9);

  await tray.choose('Start talking');
  await expect.poll(labels, patient).toContain('Live');
  await expect.poll(() => shows('live')).toBeGreaterThan(0.98);
  await tray.choose('Push to talk');
  const held = async () =>
    (await tray.menu()).find(({ label }) => label === 'Push to talk')?.checked;
  await expect.poll(held).toBe(true);
  await tray.choose('Push to talk');
  await expect.poll(held).toBe(false);
  await tray.choose('Pause');
  await expect.poll(labels).toContain('Resume');
  await expect.poll(() => shows('paused')).toBeGreaterThan(0.98);
  await tray.choose('End');
  await expect.poll(labels, patient).toContain('The talk has ended');
  expect(await windows(electron)).toEqual(['hidden']);
});

test('the tray changes the mic mode and opens a recent chat', async ({ desktop }) => {
  const { tray, start } = desktop;
  await tray.appear();
  const { page } = await start();
  const chosen = async (picker: string) => {
    const submenu = (await tray.menu()).find(({ label }) => label === picker);
    return submenu?.entries.filter(({ checked }) => checked).map(({ label }) => label);
  };
  await expect.poll(() => chosen('Mic mode')).toEqual(['Open microphone']);
  expect(await chosen('Microphone')).toEqual(['System default']);
  await tray.choose('Mic mode', 'Hold or tap the key');
  await expect.poll(() => chosen('Mic mode')).toEqual(['Hold or tap the key']);

  await openChat(page);
  await ask(page, 'Reply with exactly: Reinette');
  await expect(answers(page)).toContainText('Reinette', patient);
  await page.getByRole('button', { name: 'New chat', exact: true }).click();
  await page.getByRole('navigation').getByRole('button', { name: 'Talk' }).click();
  const recent = async () =>
    (await tray.menu()).find(({ label }) => label === 'Recent chats')?.entries ?? [];
  await expect.poll(async () => (await recent()).length).toBe(1);
  await tray.choose('Recent chats', (await recent())[0]?.label ?? '');
  await expect(answers(page)).toContainText('Reinette');
});

test('closing the window keeps Parley in the tray and says so once; clicks show and hide the window', async ({
  desktop,
}) => {
  const { tray, notifications, start } = desktop;
  await tray.appear();
  const { electron } = await start();
  await tray.icon();
  await closeWindow(electron);
  await expect.poll(() => windows(electron)).toEqual(['hidden']);
  await expect.poll(() => notifications.titles()).toEqual(['Parley is still here']);
  await tray.click();
  await expect.poll(() => windows(electron)).toEqual(['shown']);
  await closeWindow(electron);
  await expect.poll(() => windows(electron)).toEqual(['hidden']);
  await tray.click();
  await expect.poll(() => windows(electron)).toEqual(['shown']);
  await tray.click();
  await expect.poll(() => windows(electron)).toEqual(['hidden']);
  expect(notifications.titles()).toEqual(['Parley is still here']);

  const exit = once(electron.process(), 'exit');
  await tray.choose('Quit Parley');
  expect(await exit).toEqual([0, null]);
});

test('a hidden window comes back minimised when the panel disappears, and a new panel shows the icon', async ({
  desktop,
}) => {
  const { tray, start } = desktop;
  await tray.appear();
  const { electron } = await start();
  await tray.icon();
  await closeWindow(electron);
  await expect.poll(() => windows(electron)).toEqual(['hidden']);
  await tray.disappear();
  await expect.poll(() => windows(electron)).toEqual(['minimized']);
  await tray.appear();
  // The old icon may be registered once more before it is replaced.
  await expect(async () => {
    await tray.click();
  }).toPass();
  await expect.poll(() => windows(electron)).toEqual(['shown']);
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

test('a window closed right after it is shown follows the setting', async ({ desktop, host }) => {
  test.skip(host === 'packaged', 'the package loads no modules of a test');
  const { notifications, start, home } = desktop;
  const module = join(home, 'close-when-shown.cjs');
  await writeFile(
    module,
    `require('electron').app.on('browser-window-created', (_event, window) => {
       window.once('show', () => window.close());
     });`,
  );
  const { electron } = await start({
    settings: { desktop: { closing: 'keep' } },
    modules: [module],
    painted: false,
  });
  await expect.poll(() => windows(electron)).toEqual(['minimized']);
  await expect.poll(() => notifications.titles()).toEqual(['Parley was minimised']);
});
