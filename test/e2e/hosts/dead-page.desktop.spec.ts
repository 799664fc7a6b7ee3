import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { expect, test } from '../fixtures/host-test.ts';
import { openMini, killPage, readPage } from '../fixtures/pages/app-windows.ts';

const patient = { timeout: 30_000 };

test.use({ stored: { firstRun: { done: true }, talking: { mode: 'hold' } } });

async function talkWithKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start talking' }).click();
  await expect(page.getByRole('button', { name: 'Hold to talk' })).toBeVisible(patient);
  await page.keyboard.down('Space');
  await expect(page.getByRole('button', { name: 'Parley hears you' })).toBeVisible();
}

const stateFolder = (electron: ElectronApplication): Promise<string> =>
  electron.evaluate(() => process.env['PARLEY_STATE_DIR'] ?? '');

test('a page killed with the talk key held stops transmitting and is reloaded, and the talk continues', async ({
  electron,
  page,
}) => {
  test.setTimeout(90_000);
  await talkWithKey(page);
  const before = await readPage(electron, 'main');
  expect(before).toMatchObject({ phase: 'live', transmitting: true });
  await killPage(electron, 'main');
  await expect
    .poll(() => readPage(electron, 'main'), patient)
    .toMatchObject({ crashed: false, phase: 'live', transmitting: false });
  const after = await readPage(electron, 'main');
  expect(after?.pid).not.toBe(before?.pid);
  await expect
    .poll(async () => (await readPage(electron, 'main'))?.text)
    .toMatch(/This window crashed and was reopened\.\s+Your talk continued/);
  const log = await readFile(join(await stateFolder(electron), 'logs/parley.log'), 'utf8');
  expect(log).toMatch(/error: the page of the main window died \(killed, 9\)/);
});

test('a hanging page loses the talk key and is replaced', async ({ electron, page }) => {
  test.setTimeout(120_000);
  await talkWithKey(page);
  const before = await readPage(electron, 'main');
  void page.evaluate('for (;;);').catch(() => undefined);
  const began = performance.now();
  await expect
    .poll(async () => (await readPage(electron, 'main'))?.text, { timeout: 60_000 })
    .toMatch(/This window stopped responding and was reopened/);
  test.info().annotations.push({
    type: 'measured',
    description: `a hung page is replaced after ${Math.round(performance.now() - began)} ms`,
  });
  const after = await readPage(electron, 'main');
  expect(after).toMatchObject({ phase: 'live', transmitting: false });
  expect(after?.pid).not.toBe(before?.pid);
});

test('the talk pauses and a dialog asks after repeated crashes of the page', async ({
  electron,
  page,
}) => {
  test.setTimeout(120_000);
  await electron.evaluate(({ dialog }) => {
    const boxes: unknown[] = [];
    Reflect.set(globalThis, 'boxes', boxes);
    // The dialog stays open.
    dialog.showMessageBox = (...options: readonly unknown[]) => {
      boxes.push(options[0]);
      return new Promise(() => undefined);
    };
  });
  const boxes = (): Promise<readonly { readonly message: string }[]> =>
    electron.evaluate(() => Reflect.get(globalThis, 'boxes') as { message: string }[]);
  await talkWithKey(page);
  for (let time = 0; time < 4; time += 1) {
    await expect
      .poll(() => readPage(electron, 'main'), patient)
      .toMatchObject({ crashed: false, phase: 'live' });
    await killPage(electron, 'main');
  }
  await expect.poll(async () => (await boxes()).length).toBe(1);
  expect((await boxes())[0]?.message).toBe('Parley’s window keeps crashing.');
  expect(await readPage(electron, 'main')).toMatchObject({ crashed: true });
  // A second start reloads it all the same.
  await electron.evaluate(({ app }) => app.emit('second-instance', {}, ['parley']));
  await expect
    .poll(() => readPage(electron, 'main'), patient)
    .toMatchObject({ crashed: false, phase: 'live', paused: true, transmitting: false });
});

test('a crashed mini window is reloaded, can be closed, and opens again', async ({
  electron,
  page,
}) => {
  test.setTimeout(90_000);
  const click = () => page.getByRole('button', { name: 'Mini window' }).click();
  await openMini(electron, click);
  const before = await readPage(electron, 'mini');
  await killPage(electron, 'mini');
  await expect
    .poll(async () => (await readPage(electron, 'mini'))?.text, patient)
    .toContain('This window crashed and was reopened.');
  expect((await readPage(electron, 'mini'))?.pid).not.toBe(before?.pid);
  // Closes it while it is dead, before it is reloaded.
  await killPage(electron, 'mini');
  await page.evaluate(() => window.parley?.request('closeMini', undefined));
  await expect.poll(() => readPage(electron, 'mini')).toBeUndefined();
  await openMini(electron, click);
});
