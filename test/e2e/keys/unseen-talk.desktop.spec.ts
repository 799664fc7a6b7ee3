import type { ElectronApplication, Page } from '@playwright/test';
import { expect, test } from '../desktop/desktop-test.ts';
import { speakSentence } from '../fixtures/pages/speak-sentence.ts';
import { skipWithoutSoundCard } from '../fixtures/skip-without-sound-card.ts';
import { focusOtherProgram, pressKeys } from './other-program.ts';

// Push-to-talk as people use it: another program has the keyboard, and no window of Parley's is ever seen.

/** A talk wakes a sound card up and hears a sentence of several seconds. */
const patient = { timeout: 30_000 };
const settings = { talking: { mode: 'hold', everywhere: true, globalKey: 'F8' } } as const;

const visible = (electron: ElectronApplication): Promise<boolean> =>
  electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().some((window) => window.isVisible() && !window.isMinimized()),
  );

async function talkOf(page: Page) {
  const reply = await page.evaluate(() => window.parley?.request('talk', undefined));
  if (reply?.ok !== true) throw new Error('Nothing is known of the talk.');
  return reply.value;
}

async function keyState(page: Page): Promise<string> {
  const reply = await page.evaluate(() => window.parley?.request('globalKey', undefined));
  return reply?.ok === true ? reply.value.state.kind : 'unknown';
}

const transmitting = async (page: Page) => (await talkOf(page)).controls.transmitting;

/** The process in which the key is heard, or the one of a page. */
const pidOf = (electron: ElectronApplication, kind: 'Utility' | 'Tab', name?: string) =>
  electron.evaluate(
    ({ app }, { kind, name }) =>
      app
        .getAppMetrics()
        .find((one) => one.type === kind && (name === undefined || one.name === name))?.pid,
    { kind, name },
  );

test('a key held in another program is enough, and outlives what hears it', async ({ desktop }) => {
  skipWithoutSoundCard();
  test.setTimeout(180_000);
  await desktop.tray.come();
  const { electron, page } = await desktop.start({ flags: ['--hidden'], settings });
  const labels = async () => (await desktop.tray.menu()).map(({ label }) => label);
  await expect.poll(labels, patient).toContain('Start talking');
  await focusOtherProgram(desktop.lifetime);
  await expect.poll(() => keyState(page), patient).toBe('active');
  await desktop.tray.choose('Start talking');
  await expect.poll(labels, patient).toContain('Live');

  // Held, spoken, answered.
  await pressKeys('keydown', 'F8');
  await expect.poll(() => transmitting(page)).toBe(true);
  await speakSentence();
  await pressKeys('keyup', 'F8');
  await expect.poll(() => transmitting(page)).toBe(false);
  await expect
    .poll(
      async () =>
        (await talkOf(page)).captions.map(({ text, heard }) => text.slice(0, heard)).join(' '),
      patient,
    )
    .toMatch(/\w+ \w+/);

  // What hears the key dies with the key down: nobody is heard until it is pressed again.
  await pressKeys('keydown', 'F8');
  await expect.poll(() => transmitting(page)).toBe(true);
  const helper = await pidOf(electron, 'Utility', 'Parley keys');
  if (helper === undefined) throw new Error('No process hears the key.');
  process.kill(helper, 'SIGKILL');
  await expect.poll(() => transmitting(page)).toBe(false);
  await pressKeys('keyup', 'F8');
  await expect.poll(() => keyState(page), patient).toBe('active');
  await pressKeys('keydown', 'F8');
  await expect.poll(() => transmitting(page)).toBe(true);

  expect(await visible(electron)).toBe(false);
  await pressKeys('keyup', 'F8');
});
