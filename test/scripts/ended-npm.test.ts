import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { childrenOf, readCommand } from '../e2e/fixtures/process-tree.ts';
import { workFolder } from '../fakes/work-folder.ts';

const root = resolve(import.meta.dirname, '../..');
const script = ['-r', './scripts/require-node.cjs', 'scripts/start.mjs'];

interface Started {
  readonly child: ChildProcess;
  readonly address: string;
  /** All that it has started, by their numbers. */
  readonly below: readonly number[];
}

/** Starts the browser host where no window can be, and waits until its page is there. */
async function startHost(program: string, words: readonly string[]): Promise<Started> {
  const { DISPLAY: _, WAYLAND_DISPLAY: __, npm_lifecycle_event: ___, ...rest } = process.env;
  const child = spawn(program, words, {
    cwd: root,
    env: { ...rest, PARLEY_STATE_DIR: workFolder()('state') },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that all of it can be ended after a test that failed.
    detached: true,
  });
  onTestFinished(() => {
    endGroup(child.pid);
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => (said += text));
  }
  const address = await vi.waitFor(
    () => /http:\/\/127\.0\.0\.1:\d+\/#token=\S+/.exec(said)?.[0] ?? expect.fail(said),
    { timeout: 60_000 },
  );
  expect((await fetch(address)).status).toBe(200);
  return { child, address, below: childrenOf(child.pid) };
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // All of it has ended.
  }
}

/** Of these, the ones that are still at work. */
const living = (pids: readonly number[]): readonly string[] =>
  pids.map(readCommand).filter((command) => command !== '');

/** The page is gone, and all processes are. */
const untilEnded = ({ address, below }: Started): Promise<void> =>
  vi.waitFor(
    async () => {
      expect(living(below)).toEqual([]);
      await expect(fetch(address)).rejects.toThrow();
    },
    { timeout: 15_000, interval: 100 },
  );

describe.runIf(process.platform === 'linux')('npm start', { timeout: 120_000 }, () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)(
    'ends the host when npm alone gets %s',
    async (signal) => {
      const started = await startHost('npm', ['start']);
      expect(living(started.below).join('\n')).toContain('browser.js');
      started.child.kill(signal);
      await untilEnded(started);
    },
  );

  it('ends the host also when its own script is killed', async () => {
    const started = await startHost('npm', ['start']);
    const own = started.below.find((pid) => readCommand(pid).includes('start.mjs'));
    process.kill(own ?? expect.fail('There is no script.'), 'SIGKILL');
    await untilEnded(started);
  });

  it('goes on when whoever started npm has gone, as a closed terminal has', async () => {
    const started = await startHost('sh', ['-c', 'npm start; true']);
    started.child.kill('SIGKILL');
    await once(started.child, 'exit');
    await expectToGoOn(started);
  });
});

describe.runIf(process.platform === 'linux')('a host that npm did not start', () => {
  it('goes on when whoever started it has gone', { timeout: 120_000 }, async () => {
    const words = [process.execPath, ...script].join(' ');
    const started = await startHost('sh', ['-c', `${words}; true`]);
    started.child.kill('SIGKILL');
    await once(started.child, 'exit');
    await expectToGoOn(started);
  });
});

/** For longer than it takes the script to look for its npm. */
async function expectToGoOn({ address, below }: Started): Promise<void> {
  const before = living(below);
  expect(before.join('\n')).toContain('browser.js');
  await new Promise((done) => setTimeout(done, 2500));
  expect(living(below)).toEqual(before);
  expect((await fetch(address)).status).toBe(200);
}
