import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import { startVirtualScreen } from '../../../scripts/lib/virtual-screen.mjs';
import { which } from '../../../scripts/lib/which.mjs';
import type { Lifetime } from '../../../shared/lifetime.ts';
import { startWindowManager } from '../fixtures/window-manager.ts';

export interface HeardKey {
  /** As X calls it. */
  readonly key: string;
  /** In milliseconds since 1970. */
  readonly at: number;
}

/** A screen with a window manager, and another program on it that has the keyboard. */
export interface TestKeyboard {
  readonly environment: NodeJS.ProcessEnv;
  /** As a person's hand does it: `keydown F8`, `keyup F8`, `key a`. */
  readonly type: (...words: readonly string[]) => Promise<void>;
  /** What the other program heard go down. */
  readonly heardByOther: readonly HeardKey[];
}

const tools = ['Xvfb', 'openbox', 'xdotool', 'xev', 'xprop', 'stdbuf'];

/** The tool that is missing for it here. */
export function missingKeyboardTool(): string | undefined {
  return tools.find((tool) => which(tool) === undefined);
}

export async function openTestKeyboard(lifetime: Lifetime): Promise<TestKeyboard> {
  const screen = await startVirtualScreen('Xvfb');
  lifetime.add(screen.stop);
  const environment = {
    ...process.env,
    DISPLAY: screen.display,
    WAYLAND_DISPLAY: '',
    XDG_SESSION_TYPE: 'x11',
  };
  const run = promisify(execFile);
  const type = async (...words: readonly string[]): Promise<void> => {
    await run('xdotool', words, { env: environment });
  };
  const start = (program: string, ...args: readonly string[]) => {
    const child = spawn(program, args, { env: environment, stdio: ['ignore', 'pipe', 'ignore'] });
    lifetime.add(async () => {
      const exit = once(child, 'exit');
      if (child.kill()) await exit;
    });
    return createInterface(child.stdout);
  };
  await startWindowManager(lifetime, environment);
  const heardByOther: HeardKey[] = [];
  // By lines, because it would save them up for whoever reads from a pipe.
  let pressedAt = NaN;
  start('stdbuf', '-oL', 'xev', '-event', 'keyboard').on('line', (line) => {
    if (/^Key(Press|Release)/.test(line)) {
      pressedAt = line.startsWith('KeyPress') ? performance.timeOrigin + performance.now() : NaN;
    }
    // The key's name stands in a line after the event's own.
    const key = /\(keysym 0x[\da-f]+, (\w+)\)/.exec(line)?.[1];
    if (key !== undefined && !Number.isNaN(pressedAt)) heardByOther.push({ key, at: pressedAt });
  });
  // It has the keyboard when it hears it, which takes a moment after it is there. Where it came to be while the window
  // manager was busy it is given none, however long one waits: so it takes it.
  await expect
    .poll(async () => {
      await type('search', '--name', '^Event Tester$', 'windowfocus').catch(() => undefined);
      await type('key', 'F7');
      return heardByOther.length;
    })
    .toBeGreaterThan(0);
  return { environment, type, heardByOther };
}
