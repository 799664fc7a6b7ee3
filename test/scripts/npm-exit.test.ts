import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { childrenOf, readCommand } from '../e2e/fixtures/processes.ts';
import { workFolder } from '../fakes/work-folder.ts';

const root = resolve(import.meta.dirname, '../..');
const script = ['-r', './scripts/require-node.cjs', 'scripts/start.mjs'];

interface Started {
  readonly child: ChildProcess;
  readonly address: string;
  /** Process ids of its descendants. */
  readonly descendants: readonly number[];
}

/** Starts Parley without a display, so that it opens the browser host, and waits until the page is served. */
async function startHost(program: string, args: readonly string[]): Promise<Started> {
  const { DISPLAY: _, WAYLAND_DISPLAY: __, npm_lifecycle_event: ___, ...rest } = process.env;
  const child = spawn(program, args, {
    cwd: root,
    env: { ...rest, PARLEY_STATE_DIR: workFolder()('state') },
    stdio: ['ignore', 'pipe', 'pipe'],
    // The program gets its own process group, so that a failed test can kill the whole group.
    detached: true,
  });
  onTestFinished(() => {
    endGroup(child.pid);
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => (output += text));
  }
  const address = await vi.waitFor(
    () => /http:\/\/127\.0\.0\.1:\d+\/#token=\S+/.exec(output)?.[0] ?? expect.fail(output),
    { timeout: 60_000 },
  );
  expect((await fetch(address)).status).toBe(200);
  return { child, address, descendants: childrenOf(child.pid) };
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has ended.
  }
}

/** Commands of the processes that still run. */
const runningCommands = (pids: readonly number[]): readonly string[] =>
  pids.map(readCommand).filter((command) => command !== '');

/** Waits until the page and all processes are gone. */
const waitForEnd = ({ address, descendants }: Started): Promise<void> =>
  vi.waitFor(
    async () => {
      expect(runningCommands(descendants)).toEqual([]);
      await expect(fetch(address)).rejects.toThrow();
    },
    { timeout: 15_000, interval: 100 },
  );

describe.runIf(process.platform === 'linux')('npm start', { timeout: 120_000 }, () => {
  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'ends the host when npm alone gets %s',
    async (signal) => {
      const started = await startHost('npm', ['start']);
      expect(runningCommands(started.descendants).join('\n')).toContain('browser.js');
      started.child.kill(signal);
      await waitForEnd(started);
    },
  );

  it('ends the host when the start script is killed', async () => {
    const started = await startHost('npm', ['start']);
    const own = started.descendants.find((pid) => readCommand(pid).includes('start.mjs'));
    process.kill(own ?? expect.fail('npm runs no start.mjs.'), 'SIGKILL');
    await waitForEnd(started);
  });
});

describe.runIf(process.platform === 'linux')('a host that npm did not start', () => {
  it('keeps running when the process that started it is gone', { timeout: 120_000 }, async () => {
    const args = [process.execPath, ...script].join(' ');
    const started = await startHost('sh', ['-c', `${args}; true`]);
    started.child.kill('SIGKILL');
    await once(started.child, 'exit');
    await expectToKeepRunning(started);
  });
});

/** Waits longer than the script's interval for checking its npm. */
async function expectToKeepRunning({ address, descendants }: Started): Promise<void> {
  const before = runningCommands(descendants);
  expect(before.join('\n')).toContain('browser.js');
  await new Promise((done) => setTimeout(done, 2500));
  expect(runningCommands(descendants)).toEqual(before);
  expect((await fetch(address)).status).toBe(200);
}
