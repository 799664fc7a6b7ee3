import type { ElectronApplication, Page } from '@playwright/test';
import { expect, test } from '../desktop/desktop-test.ts';
import { readTalkFromCore } from '../fixtures/pages/read-core.ts';
import { skipWithoutSoundCard, speakSentence } from '../fixtures/sound-card.ts';
import { spread } from '../fixtures/spread.ts';
import { focusOtherProgram, type OtherProgram, pressKeys } from './other-program.ts';

// Push-to-talk with the focus in another program and no visible window.

const patient = { timeout: 30_000 };
const settings = { talking: { mode: 'hold', everywhere: true, globalKey: 'F8' } } as const;

const visible = (electron: ElectronApplication): Promise<boolean> =>
  electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().some((window) => window.isVisible() && !window.isMinimized()),
  );

async function keyState(page: Page): Promise<string> {
  const reply = await page.evaluate(() => window.parley?.request('globalKey', undefined));
  return reply?.ok === true ? reply.value.state.kind : 'unknown';
}

const transmitting = async (page: Page) => (await readTalkFromCore(page)).controls.transmitting;

const findProcessId = (electron: ElectronApplication, kind: 'Utility' | 'Tab', name?: string) =>
  electron.evaluate(
    ({ app }, { kind, name }) =>
      app
        .getAppMetrics()
        .find((metric) => metric.type === kind && (name === undefined || metric.name === name))
        ?.pid,
    { kind, name },
  );

test('a key held in another program drives a talk, and survives its helper’s death', async ({
  desktop,
}) => {
  skipWithoutSoundCard();
  test.setTimeout(180_000);
  await desktop.tray.appear();
  const { electron, page } = await desktop.start({ flags: ['--hidden'], settings });
  const labels = async () => (await desktop.tray.menu()).map(({ label }) => label);
  await expect.poll(labels, patient).toContain('Start talking');
  const other = await focusOtherProgram(desktop.lifetime);
  await expect.poll(() => keyState(page), patient).toBe('active');
  await desktop.tray.choose('Start talking');
  await expect.poll(labels, patient).toContain('Live');

  // The user holds the key, speaks, and gets an answer.
  await pressKeys('keydown', 'F8');
  await expect.poll(() => transmitting(page)).toBe(true);
  await speakSentence();
  await pressKeys('keyup', 'F8');
  await expect.poll(() => transmitting(page)).toBe(false);
  await expect
    .poll(
      async () =>
        (await readTalkFromCore(page)).captions
          .map(({ text, heard }) => text.slice(0, heard))
          .join(' '),
      patient,
    )
    .toMatch(/\w+ \w+/);

  // The helper dies with the key down: transmission stops until the next press.
  await pressKeys('keydown', 'F8');
  await expect.poll(() => transmitting(page)).toBe(true);
  const helper = await findProcessId(electron, 'Utility', 'Parley keys');
  if (helper === undefined) throw new Error('The key helper is not running.');
  process.kill(helper, 'SIGKILL');
  await expect.poll(() => transmitting(page)).toBe(false);
  await pressKeys('keyup', 'F8');
  await expect.poll(() => keyState(page), patient).toBe('active');
  await pressKeys('keydown', 'F8');
  await expect.poll(() => transmitting(page)).toBe(true);

  await pressKeys('keyup', 'F8');
  await expect.poll(() => transmitting(page)).toBe(false);

  await measureDelays(page, other);
  expect(await visible(electron)).toBe(false);
});

/** Measures how much later than another program Parley reacts to the key. */
async function measureDelays(page: Page, other: OtherProgram): Promise<void> {
  await page.evaluate(() => {
    const seen: { readonly at: number; readonly open: boolean }[] = [];
    Reflect.set(window, 'seenControls', seen);
    window.parley?.onNotice(({ name, payload }) => {
      if (name === 'talkControls') seen.push({ at: Date.now(), open: payload.transmitting });
    });
  });
  const opened: number[] = [];
  const closed: number[] = [];
  for (let times = 0; times < 20; times += 1) {
    const [presses, releases] = [other.pressed.length, other.released.length];
    await pressKeys('keydown', 'F8');
    const open = await changedTo(page, true);
    await pressKeys('keyup', 'F8');
    const shut = await changedTo(page, false);
    await expect.poll(() => other.released.length).toBeGreaterThan(releases);
    opened.push(open - (other.pressed[presses] ?? NaN));
    closed.push(shut - (other.released.at(-1) ?? NaN));
  }
  test.info().annotations.push({
    type: 'measured',
    description:
      `later than another program hears the key: microphone open ${spread(opened)}, ` +
      `closed ${spread(closed)} (15 of them to tell a key that repeats)`,
  });
}

async function changedTo(page: Page, open: boolean): Promise<number> {
  const last = () =>
    page.evaluate(() => {
      const seen = Reflect.get(window, 'seenControls') as { at: number; open: boolean }[];
      return seen.at(-1);
    });
  await expect.poll(async () => (await last())?.open, { intervals: [20] }).toBe(open);
  return (await last())?.at ?? NaN;
}
