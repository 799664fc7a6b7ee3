import { once } from 'node:events';
import { expect, test } from '../fixtures/host-test.ts';
import { closeMain, openMini, visibleWindows } from '../fixtures/pages/app-windows.ts';
import { skipWithoutSoundCard, speakSentence } from '../fixtures/sound-card.ts';

test('the mini window shows a running talk with captions, and interrupts it', async ({
  electron,
  page,
}) => {
  skipWithoutSoundCard();
  await page.getByRole('button', { name: 'Start talking' }).click();
  await expect(page.getByRole('button', { name: 'Interrupt' })).toBeVisible();
  const mini = await openMini(electron, () =>
    page.getByRole('button', { name: 'Mini window' }).click(),
  );
  await expect(mini.getByRole('status').first()).toHaveText('Live');
  await expect(mini.getByText('Nobody is speaking')).toBeVisible();

  await speakSentence();
  await expect(mini.getByText('Parley is speaking')).toBeVisible();
  await expect(mini.locator('.mini-lines')).toHaveText(/\w+ \w+/);
  await expect(mini.locator('.mini-lines .caption-coming')).toBeVisible();
  await mini.getByRole('button', { name: 'Interrupt' }).press('Enter');
  await expect(mini.locator('.mini-lines .caption-cut')).toBeVisible();
  await expect(page.locator('.caption-cut').first()).toBeVisible();
  await expect(mini.getByText('Nobody is speaking')).toBeVisible();
});

test('closing the main window in a talk opens the mini window, and closing the mini window quits', async ({
  electron,
  page,
}) => {
  const close = (): Promise<void> => closeMain(electron);
  await page.getByRole('button', { name: 'Start talking' }).click();
  await expect(page.getByRole('button', { name: 'Interrupt' })).toBeVisible();
  const first = await openMini(electron, close);
  await expect.poll(() => visibleWindows(electron)).toEqual(['mini']);
  const titles = electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((window) => window.getTitle()),
  );
  expect((await titles).toSorted()).toEqual(['Mini window – Parley', 'Parley']);
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
