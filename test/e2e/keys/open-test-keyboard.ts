import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import { startVirtualScreen } from '../../../scripts/lib/display.mjs';
import { which } from '../../../scripts/lib/run.mjs';
import type { Lifetime } from '../../../shared/lifetime.ts';
import { startWindowManager } from '../fixtures/window-manager.ts';

export interface ReceivedKey {
  readonly key: string;
  readonly at: number;
}

/** A private display with a window manager, and another program that has the focus. */
export interface TestKeyboard {
  readonly environment: NodeJS.ProcessEnv;
  /** Runs xdotool: `keydown F8`, `keyup F8`, `key a`. */
  readonly type: (...args: readonly string[]) => Promise<void>;
  readonly receivedByOther: readonly ReceivedKey[];
}

const tools = ['Xvfb', 'openbox', 'xdotool', 'xev', 'xprop', 'stdbuf'];

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
  const type = async (...args: readonly string[]): Promise<void> => {
    await run('xdotool', args, { env: environment });
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
  const receivedByOther: ReceivedKey[] = [];
  // Line buffering, because xev buffers its output for pipes.
  let pressedAt = NaN;
  start('stdbuf', '-oL', 'xev', '-event', 'keyboard').on('line', (line) => {
    if (/^Key(Press|Release)/.test(line)) {
      pressedAt = line.startsWith('KeyPress') ? performance.timeOrigin + performance.now() : NaN;
    }
    // The key's name follows in a later line of the event.
    const key = /\(keysym 0x[\da-f]+, (\w+)\)/.exec(line)?.[1];
    if (key !== undefined && !Number.isNaN(pressedAt)) receivedByOther.push({ key, at: pressedAt });
  });
  // The program has the focus once it receives a key. It takes the focus itself, because a busy window
  // manager may not give it.
  await expect
    .poll(async () => {
      await type('search', '--name', '^Event Tester$', 'windowfocus').catch(() => undefined);
      await type('key', 'F7');
      return receivedByOther.length;
    })
    .toBeGreaterThan(0);
  return { environment, type, receivedByOther };
}
