import { expect, test } from '@playwright/test';
import { spawn, type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Lifetime } from '../../../shared/lifetime.ts';
import { buildLikeProduct } from '../fixtures/build-like-product.ts';
import type { Readable } from 'node:stream';
import { setTimeout as rest } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startVirtualScreen } from '../../../scripts/lib/display.mjs';
import { which } from '../../../scripts/lib/run.mjs';
import { endChild, spawnDyingWithParent } from '../fixtures/processes.ts';
import { startWindowManager } from '../fixtures/window-manager.ts';

/** A start of xev that receives no key within this time is repeated. */
const getsKeyWithinMs = 6000;
const maxStarts = 3;

/** A private display with a window manager, and another program that has the focus. */
interface TestKeyboard {
  readonly environment: NodeJS.ProcessEnv;
  /** Runs xdotool: `keydown F8`, `keyup F8`, `key a`. */
  readonly type: (...args: readonly string[]) => Promise<void>;
  /** The keys whose press the other program received. */
  readonly receivedByOther: readonly string[];
}

const tools = ['Xvfb', 'openbox', 'xdotool', 'xev', 'xprop', 'stdbuf'];

function missingKeyboardTool(): string | undefined {
  return tools.find((tool) => which(tool) === undefined);
}

async function openTestKeyboard(lifetime: Lifetime): Promise<TestKeyboard> {
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

/** Builds the listener with the key helper, like the product; returns the file to start. */
function buildKeyListener(folder: string): Promise<string> {
  return buildLikeProduct(folder, {
    'key-listener': 'test/e2e/keys/key-listener.ts',
    'key-helper': 'electron/platform/keys/key-helper.ts',
  });
}

interface ListenerLine {
  readonly kind: 'helper' | 'message' | 'heard' | 'listens' | 'ended' | 'stopped';
  readonly pid?: number;
  readonly event?: string;
  readonly message?: unknown;
}

interface RunningListener {
  readonly pid: number;
  readonly lines: readonly ListenerLine[];
  readonly events: () => readonly string[];
  readonly until: (kind: ListenerLine['kind'], times?: number) => Promise<ListenerLine>;
  readonly stop: () => Promise<void>;
}

const flags = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

function startKeyListener(
  lifetime: Lifetime,
  file: string,
  environment: NodeJS.ProcessEnv,
  backend: string,
  chord: string,
): RunningListener {
  // Required late, because the module looks for an installed runtime.
  const electron = createRequire(import.meta.url)('electron') as string;
  const child = spawn(electron, [...flags, file, backend, chord], {
    env: environment,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  lifetime.add(async () => {
    const exit = once(child, 'exit');
    if (child.kill('SIGKILL')) await exit;
  });
  const lines: ListenerLine[] = [];
  createInterface(child.stdout).on('line', (line) => {
    if (line.startsWith('{')) lines.push(JSON.parse(line) as ListenerLine);
  });
  const until: RunningListener['until'] = async (kind, times = 1) => {
    const matching = () => lines.filter((line) => line.kind === kind);
    await expect.poll(() => matching().length, `${kind} is printed`).toBeGreaterThanOrEqual(times);
    const found = matching()[times - 1];
    if (found === undefined) throw new Error(`${kind} was not printed.`);
    return found;
  };
  return {
    pid: child.pid ?? 0,
    lines,
    events: () => lines.flatMap(({ event }) => event ?? []),
    until,
    stop: async () => {
      child.stdin.write('stop\n');
      await until('stopped');
    },
  };
}

// Tests of the key backends while another program has the focus.
const folder = resolve('test-results', `key-listener-${process.env['TEST_PARALLEL_INDEX'] ?? '0'}`);
let file: string;
let lifetime: Lifetime;
let keyboard: TestKeyboard;

test.beforeAll(async () => {
  const missing = missingKeyboardTool();
  test.skip(missing !== undefined, `${missing ?? ''} is not installed`);
  file = await buildKeyListener(folder);
});

test.afterAll(() => rm(folder, { recursive: true, force: true }));

test.beforeEach(async () => {
  lifetime = new Lifetime('a keyboard under test');
  keyboard = await openTestKeyboard(lifetime);
});

test.afterEach(() => lifetime.end());

async function listen(backend: string, chord: string): Promise<RunningListener> {
  const listener = startKeyListener(lifetime, file, keyboard.environment, backend, chord);
  await listener.until('listens');
  return listener;
}

test('the backend reports only the chosen key while another program has the focus', async () => {
  const listener = await listen('uiohook', 'F8');
  await keyboard.type('key', 'a', 'Return', 'F9', 'ctrl+F8', 'Control_L');
  await keyboard.type('keydown', 'F8');
  await expect.poll(listener.events).toEqual(['press']);
  // Waits for key repeats.
  const before = keyboard.receivedByOther.length;
  await expect.poll(() => keyboard.receivedByOther.length).toBeGreaterThan(before + 10);
  expect(listener.events()).toEqual(['press']);
  await keyboard.type('type', 'secret');
  await keyboard.type('keyup', 'F8');
  await expect.poll(listener.events).toEqual(['press', 'release']);
  const messages = listener.lines.filter(({ kind }) => kind === 'message');
  // The helper repeats that the key is held, and reports no other key.
  const once = new Set(messages.map(({ message }) => JSON.stringify(message)));
  expect([...once]).toEqual([
    '{"kind":"ready"}',
    '{"kind":"key","key":0,"event":"press"}',
    '{"kind":"key","key":0,"event":"held"}',
    '{"kind":"key","key":0,"event":"release"}',
  ]);
});

test('a helper that is killed or hangs with the key down reports the key as lost, and is replaced', async () => {
  const listener = await listen('uiohook', 'F8');
  for (const [times, signal] of [
    [1, 'SIGKILL'],
    [2, 'SIGSTOP'],
  ] as const) {
    await listener.until('listens', times);
    await keyboard.type('keydown', 'F8');
    await expect.poll(() => listener.events().slice(-1)).toEqual(['press']);
    const { pid = 0 } = await listener.until('helper', times);
    process.kill(pid, signal);
    await listener.until('ended', times);
    // The next helper may report a repeat of the key as a press.
    const events = listener.events();
    const at = events.lastIndexOf('lost');
    expect(events.slice(at - 1, at)).toEqual(['press']);
    expect(events.filter((event) => event === 'lost')).toHaveLength(times);
    await expect.poll(() => isRunning(pid)).toBe(false);
    await keyboard.type('keyup', 'F8');
  }
  await listener.until('listens', 3);
  await keyboard.type('key', 'F8');
  await expect.poll(() => listener.events().slice(-2)).toEqual(['press', 'release']);
});

test('the helper ends when stopped, and when its parent dies @nightly', async () => {
  const first = await listen('uiohook', 'F8');
  const { pid = 0 } = await first.until('helper');
  await first.stop();
  await expect.poll(() => isRunning(pid)).toBe(false);
  expect(first.lines.filter(({ kind }) => kind === 'ended')).toEqual([]);
  const second = await listen('uiohook', 'F8');
  const { pid: orphan = 0 } = await second.until('helper');
  process.kill(second.pid, 'SIGKILL');
  await expect.poll(() => isRunning(orphan)).toBe(false);
});

test('Electron’s shortcut reports each press while another program has the focus, until it stops @nightly', async () => {
  const listener = await listen('globalShortcut', 'Control+F8');
  await keyboard.type('key', 'ctrl+F8');
  await expect.poll(listener.events).toEqual(['toggle']);
  // Waits longer than a held key takes to repeat. Unit tests of HeldKeyFilter hold a key, because here repeats may be late.
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  await keyboard.type('key', 'ctrl+F8');
  await expect.poll(listener.events).toEqual(['toggle', 'toggle']);
  await listener.stop();
  await keyboard.type('key', 'ctrl+F8');
  await expect.poll(() => keyboard.receivedByOther).toContain('F8');
  expect(listener.events()).toEqual(['toggle', 'toggle']);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
