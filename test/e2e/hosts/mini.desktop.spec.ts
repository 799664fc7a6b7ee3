import { once } from 'node:events';
import { fakeCameraFlags } from '../fixtures/fake-camera.ts';
import { expect, test } from '../fixtures/host-test.ts';
import { openDesktop } from '../fixtures/open-desktop.ts';
import { closeMain, openMini, visibleWindows } from '../fixtures/pages/app-windows.ts';
import { skipWithoutSoundCard, speakSentence } from '../fixtures/sound-card.ts';

const patient = { timeout: 30_000 };

test('the mini window shows a running talk with captions, and interrupts it', async ({
  electron,
  page,
}) => {
  skipWithoutSoundCard();
  test.setTimeout(120_000);
  await page.getByRole('button', { name: 'Start talking' }).click();
  await expect(page.getByRole('button', { name: 'Interrupt' })).toBeVisible(patient);
  const mini = await openMini(electron, () =>
    page.getByRole('button', { name: 'Mini window' }).click(),
  );
  await expect(mini.getByRole('status').first()).toHaveText('Live');
  await expect(mini.getByText('Nobody is speaking')).toBeVisible();

  await speakSentence();
  await expect(mini.getByText('Parley is speaking')).toBeVisible(patient);
  await expect(mini.locator('.mini-lines')).toHaveText(/\w+ \w+/);
  await expect(mini.locator('.mini-lines .caption-coming')).toBeVisible();
  await mini.getByRole('button', { name: 'Interrupt' }).press('Enter');
  await expect(mini.locator('.mini-lines .caption-cut')).toBeVisible(patient);
  await expect(page.locator('.caption-cut').first()).toBeVisible();
  await expect(mini.getByText('Nobody is speaking')).toBeVisible(patient);
});

test('closing the main window in a talk opens the mini window, and closing that quits', async ({
  electron,
  page,
}) => {
  test.setTimeout(120_000);
  const close = (): Promise<void> => closeMain(electron);
  await page.getByRole('button', { name: 'Start talking' }).click();
  await expect(page.getByRole('button', { name: 'Interrupt' })).toBeVisible(patient);
  const first = await openMini(electron, close);
  await expect.poll(() => visibleWindows(electron)).toEqual(['mini']);
  await expect(first.getByText('The talk continues here.')).toBeVisible();
  await first.getByRole('button', { name: 'Got it' }).click();
  await first.getByRole('button', { name: 'Open the large window' }).click();
  await expect.poll(() => visibleWindows(electron)).toEqual(['main']);
  await expect(page.getByRole('button', { name: 'Interrupt' })).toBeVisible();

  const second = await openMini(electron, close);
  await expect.poll(() => visibleWindows(electron)).toEqual(['mini']);
  await expect(second.getByRole('button', { name: 'End and close Parley' })).toBeVisible();
  await expect(second.getByText('The talk continues here.'), 'said once').toHaveCount(0);
  const exit = once(electron.process(), 'exit');
  await second.keyboard.press('Control+w').catch(() => undefined);
  expect(await exit).toEqual([0, null]);
});

test.describe('with a camera', () => {
  test.use({ flags: [...fakeCameraFlags()] });

  test('the camera ends with the window that opened it', async ({ electron, page }) => {
    test.setTimeout(60_000);
    await page.getByRole('button', { name: 'Start with the camera' }).click();
    const camera = page.getByRole('button', { name: 'Camera', exact: true });
    await expect(camera).toHaveAttribute('aria-pressed', 'true', patient);
    await expect(page.locator('.capture video')).toBeVisible(patient);
    const mini = await openMini(electron, () => closeMain(electron));
    await expect.poll(() => visibleWindows(electron)).toEqual(['mini']);
    await mini.getByRole('button', { name: 'Open the large window' }).click();
    await expect(camera).toHaveAttribute('aria-pressed', 'false');
    await expect(page.locator('.capture')).toHaveCount(0);
  });
});

test('the mini window has the same IPC checks as the main window', async ({
  electron,
  page,
  running,
}) => {
  running.consoleWatch.allow(/Electron Security Warning/);
  const mini = await openMini(electron, () =>
    page.getByRole('button', { name: 'Mini window' }).click(),
  );
  const wrong = await mini.evaluate(() =>
    window.parley?.request('checkLibraries', { libraries: ['../../etc/passwd' as 'libvips'] }),
  );
  expect(wrong).toMatchObject({ ok: false, error: { code: 'notUnderstood' } });
  expect(await mini.evaluate(() => window.parley?.request('about', undefined))).toMatchObject({
    ok: true,
  });
  // Another page in the same window reaches the bridge, but gets no answers.
  await electron.evaluate(async ({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows().find((window) =>
      window.webContents.getURL().includes('window=mini'),
    );
    await window?.loadURL('data:text/html,stranger');
  });
  await mini.waitForURL(/^data:/);
  expect(await mini.evaluate(() => window.parley?.request('about', undefined))).toMatchObject({
    ok: false,
    error: { code: 'notOurPage' },
  });
});

test('the mini window remembers its place', async ({ host, language }, testInfo) => {
  test.setTimeout(60_000);
  const home = testInfo.outputPath('home');
  const place = { x: 120, y: 90, width: 480, height: 260 };
  const bounds = async (move: boolean): Promise<unknown> => {
    const { electron, page, close } = await openDesktop({ kind: host, language, home });
    try {
      if (electron === undefined) throw new Error('Electron has not been started.');
      await openMini(electron, () => page.getByRole('button', { name: 'Mini window' }).click());
      await expect.poll(() => visibleWindows(electron)).toEqual(['main', 'mini']);
      return await electron.evaluate(
        ({ BrowserWindow }, to) => {
          const mini = BrowserWindow.getAllWindows().find((window) =>
            window.webContents.getURL().includes('window=mini'),
          );
          if (to !== undefined) mini?.setBounds(to);
          return mini?.getBounds();
        },
        move ? place : undefined,
      );
    } finally {
      await close();
    }
  };
  await bounds(true);
  expect(await bounds(false)).toEqual(place);
});
