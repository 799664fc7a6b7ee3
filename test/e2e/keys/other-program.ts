import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import type { Lifetime } from '../../../shared/lifetime.ts';

const run = promisify(execFile);

/** As a person's hand does it, on the screen of the test: `keydown F8`, `keyup F8`. */
export async function pressKeys(...words: readonly string[]): Promise<void> {
  await run('xdotool', words);
}

/** When the other program heard keys, in milliseconds since 1970. */
export interface OtherProgram {
  readonly pressed: readonly number[];
  readonly released: readonly number[];
}

/** Another program on the screen, which has the keyboard from then on. */
export async function focusOtherProgram(lifetime: Lifetime): Promise<OtherProgram> {
  // By lines, because it would save them up for whoever reads from a pipe.
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
  // It has the keyboard when it hears it, which takes a moment after it is there.
  await expect
    .poll(async () => {
      await pressKeys('key', 'F7');
      return pressed.length;
    })
    .toBeGreaterThan(0);
  return { pressed, released };
}
