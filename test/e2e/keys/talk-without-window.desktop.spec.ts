import type { ElectronApplication, Page } from '@playwright/test';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import type { Lifetime } from '../../../shared/lifetime.ts';
import { expect, test } from '../desktop/desktop-test.ts';
import { readTalkFromCore } from '../fixtures/pages/talk-page.ts';
import { skipWithoutSoundCard, speakSentence } from '../fixtures/sound-card.ts';

// Push-to-talk with the focus in another program and no visible window.

const run = promisify(execFile);
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
  await desktop.tray.appear();
  const { electron, page } = await desktop.start({ flags: ['--hidden'], settings });
  const labels = async () => (await desktop.tray.menu()).map(({ label }) => label);
  await expect.poll(labels).toContain('Start talking');
  await focusOtherProgram(desktop.lifetime);
  await expect.poll(() => keyState(page)).toBe('active');
  await desktop.tray.choose('Start talking');
  await expect.poll(labels).toContain('Live');

  // The user holds the key, speaks, and gets an answer.
  await pressKeys('keydown', 'F8');
  await expect.poll(() => transmitting(page)).toBe(true);
  await speakSentence();
  await pressKeys('keyup', 'F8');
  await expect.poll(() => transmitting(page)).toBe(false);
  await expect
    .poll(async () =>
      (await readTalkFromCore(page)).captions
        .map(({ text, heard }) => text.slice(0, heard))
        .join(' '),
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
  await expect.poll(() => keyState(page)).toBe('active');
  await pressKeys('keydown', 'F8');
  await expect.poll(() => transmitting(page)).toBe(true);

  await pressKeys('keyup', 'F8');
  await expect.poll(() => transmitting(page)).toBe(false);
  expect(await visible(electron)).toBe(false);
});

/** Presses keys with xdotool: `keydown F8`, `keyup F8`. */
async function pressKeys(...args: readonly string[]): Promise<void> {
  await run('xdotool', args);
}

/** Starts another program, which has the focus from then on. */
async function focusOtherProgram(lifetime: Lifetime): Promise<void> {
  // Line buffering, because xev buffers its output for pipes.
  const program = spawn('stdbuf', ['-oL', 'xev', '-event', 'keyboard'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  lifetime.add(async () => {
    const exit = once(program, 'exit');
    if (program.kill()) await exit;
  });
  let received = '';
  program.stdout.on('data', (piece: Buffer) => (received += piece.toString()));
  // The program has the focus once it receives a key.
  await expect(async () => {
    await pressKeys('key', 'F7');
    expect(received).toContain('KeyPress');
  }).toPass();
}
