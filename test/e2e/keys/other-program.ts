import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import type { Lifetime } from '../../../shared/lifetime.ts';

const run = promisify(execFile);

/** Presses keys on the test's display with xdotool: `keydown F8`, `keyup F8`. */
export async function pressKeys(...args: readonly string[]): Promise<void> {
  await run('xdotool', args);
}

/** When the other program received presses and releases, in milliseconds since 1970. */
export interface OtherProgram {
  readonly pressed: readonly number[];
  readonly released: readonly number[];
}

/** Starts another program, which has the focus from then on. */
export async function focusOtherProgram(lifetime: Lifetime): Promise<OtherProgram> {
  // Line buffering, because xev buffers its output for pipes.
  const program = spawn('stdbuf', ['-oL', 'xev', '-event', 'keyboard'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  lifetime.add(async () => {
    const exit = once(program, 'exit');
    if (program.kill()) await exit;
  });
  const pressed: number[] = [];
  const released: number[] = [];
  createInterface(program.stdout).on('line', (line) => {
    const now = performance.timeOrigin + performance.now();
    if (line.startsWith('KeyPress')) pressed.push(now);
    if (line.startsWith('KeyRelease')) released.push(now);
  });
  // The program has the focus once it receives a key.
  await expect
    .poll(async () => {
      await pressKeys('key', 'F7');
      return pressed.length;
    })
    .toBeGreaterThan(0);
  return { pressed, released };
}
