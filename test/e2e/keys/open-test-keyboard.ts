import { type ChildProcess, execFile } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as rest } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startVirtualScreen } from '../../../scripts/lib/display.mjs';
import { which } from '../../../scripts/lib/run.mjs';
import type { Lifetime } from '../../../shared/lifetime.ts';
import { endChild, spawnDyingWithParent } from '../fixtures/processes.ts';
import { startWindowManager } from '../fixtures/window-manager.ts';

/** A start of xev that receives no key within this time is repeated. */
const getsKeyWithinMs = 6000;
const maxStarts = 3;

/** A private display with a window manager, and another program that has the focus. */
export interface TestKeyboard {
  readonly environment: NodeJS.ProcessEnv;
  /** Runs xdotool: `keydown F8`, `keyup F8`, `key a`. */
  readonly type: (...args: readonly string[]) => Promise<void>;
  /** The keys whose press the other program received. */
  readonly receivedByOther: readonly string[];
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
  await startWindowManager(lifetime, environment);
  const receivedByOther: string[] = [];
  let seen = '';
  for (let start = 1; start <= maxStarts; start += 1) {
    const other = startOtherProgram(environment, receivedByOther);
    const until = performance.now() + getsKeyWithinMs;
    while (receivedByOther.length === 0 && other.exitCode === null && performance.now() < until) {
      // The program takes the focus itself, because a busy window manager may not give it.
      await type('search', '--name', '^Event Tester$', 'windowfocus').catch(() => undefined);
      await type('key', 'F7');
      await rest(100);
    }
    if (receivedByOther.length > 0) {
      lifetime.add(() => endChild(other));
      return { environment, type, receivedByOther };
    }
    const windows = await run('xwininfo', ['-root', '-tree'], { env: environment });
    const focus = await run('xdotool', ['getwindowfocus'], { env: environment }).catch(String);
    seen = `xev ended: ${other.exitCode}; focus: ${JSON.stringify(focus)}; ${windows.stdout}`;
    process.stderr.write(`xev received no key; it is started again. ${seen}\n`);
    await endChild(other);
  }
  throw new Error(`xev received no key, ${maxStarts} times. ${seen}`);
}

/** Starts xev, which prints each key that it receives. */
function startOtherProgram(environment: NodeJS.ProcessEnv, received: string[]): ChildProcess {
  // Line buffering, because xev buffers its output for pipes.
  const child = spawnDyingWithParent('stdbuf', ['-oL', 'xev', '-event', 'keyboard'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let isPress = false;
  createInterface(child.stdout as Readable).on('line', (line) => {
    if (/^Key(Press|Release)/.test(line)) isPress = line.startsWith('KeyPress');
    // The key's name follows in a later line of the event.
    const key = /\(keysym 0x[\da-f]+, (\w+)\)/.exec(line)?.[1];
    if (key !== undefined && isPress) received.push(key);
  });
  return child;
}
