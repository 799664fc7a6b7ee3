import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { which } from '../../../scripts/lib/run.mjs';
import type { Lifetime } from '../../../shared/lifetime.ts';
import { expect, test } from '../desktop/desktop-test.ts';
import { serveFaults, serverSettings } from '../fixtures/faulty-gateway.ts';
import { speakSentence, skipWithoutSoundCard } from '../fixtures/sound-card.ts';
import { untilKeyWorks, xdotool } from './open-editor.ts';
import { requestTimes } from './request-times.ts';

// The time from the release of the dictation key to the text in another program. The server runs in another process and logs
// its frames, so that its own time for the same request is known.

const rounds = 7;
/** A real server takes about this long for an answer of one sentence. */
const serverDelayMs = 1000;
/** The server's own time, with what Parley may add to it. */
const allowed = 1.2;

test.beforeAll(() => {
  const missing = ['xdotool', 'xterm'].find((tool) => which(tool) === undefined);
  test.skip(missing !== undefined, `${missing ?? ''} is not installed`);
});

test('dictated words arrive soon after the server has written them', async ({ desktop }) => {
  skipWithoutSoundCard();
  test.setTimeout(240_000);
  const record = join(desktop.home, 'frames');
  await mkdir(record, { recursive: true });
  const faults = [{ kind: 'delay', ms: serverDelayMs }] as const;
  const gateway = await serveFaults(faults, ['--record', record]);
  desktop.lifetime.add(() => gateway.end());
  await desktop.tray.appear();
  const { page } = await desktop.start({
    flags: ['--hidden'],
    settings: { ...serverSettings(gateway.url), cursor: { enabled: true } },
  });
  await untilKeyWorks(page, 'dictate');
  const typed = await openRawTerminal(desktop.lifetime, desktop.home);
  const shares: number[] = [];
  const lines: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await xdotool('keydown', 'ctrl', 'keydown', 'alt', 'keydown', 'd');
    await speakSentence('hear');
    await xdotool('keyup', 'd', 'keyup', 'alt', 'keyup', 'ctrl');
    const releasedAt = performance.now();
    await expect
      .poll(async () => (await typed()).split('hear you').length, {
        intervals: [10],
        timeout: 20_000,
      })
      .toBe(round + 2);
    const took = performance.now() - releasedAt;
    const served = (await requestTimes(record)).at(-1) ?? NaN;
    lines.push(`${Math.round(took)} ms, of which the server ${Math.round(served)} ms`);
    shares.push(took / served);
  }
  // The dictation key itself reaches no terminal: Ctrl + Alt + D would type these.
  const text = await typed();
  for (const code of ['\u001B', '\u0004']) expect(text).not.toContain(code);
  const sorted = shares.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(rounds / 2)] ?? NaN;
  test.info().annotations.push({
    type: 'measured',
    description: `release to text: ${median.toFixed(2)} of the server's own time (${lines.join('; ')})`,
  });
  expect(median).toBeLessThanOrEqual(allowed);
});

/** A terminal that has the focus and stores every character at once; returns what was typed. */
async function openRawTerminal(lifetime: Lifetime, folder: string): Promise<() => Promise<string>> {
  const file = join(folder, 'typed.txt');
  const script = `stty raw -echo; exec cat > '${file}'`;
  const child = spawn('xterm', ['-T', 'raw', '-e', 'sh', '-c', script], { stdio: 'ignore' });
  lifetime.add(async () => {
    const exit = once(child, 'exit');
    if (child.kill()) await exit;
  });
  const title = () => xdotool('getactivewindow', 'getwindowname').catch(() => '');
  await expect.poll(title).toBe('raw');
  const typed = () => readFile(file, 'utf8').catch(() => undefined);
  await expect.poll(typed).toBe('');
  return async () => (await typed()) ?? '';
}
