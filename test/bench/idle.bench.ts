import { readdirSync, readFileSync } from 'node:fs';
import { childrenOf, readCommand } from '../e2e/fixtures/processes.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findElectron } from '../../scripts/lib/electron-runtime.mjs';
import { rootDir } from '../../scripts/lib/root.mjs';
import { which } from '../../scripts/lib/run.mjs';
import { Lifetime } from '../../shared/lifetime.ts';
import { TestBus } from '../e2e/desktop/test-bus.ts';
import { TrayHost } from '../e2e/desktop/tray-host.ts';
import { startWindowManager } from '../e2e/fixtures/window-manager.ts';
import { option } from './bench-helpers.ts';

/** Limits for Parley in the tray: percent of one core, and wakes of each thread. */
const limits = { cpuPercent: 0.5, wakesPerSecond: 1 };
/** Excludes the work of the start. */
const settleSeconds = 60;
const shownThreads = 12;

/**
 * The last build of Parley while idle: in the tray and with its window open, compared with a blank Electron window. Uses
 * Linux's statistics per thread. `--seconds 600`, `--only tray`.
 */
export async function bench(): Promise<void> {
  const seconds = Number(option('--seconds') ?? 20);
  const only = option('--only');
  for (const subject of ['tray', 'window', 'blank'] as const) {
    if (only !== undefined && only !== subject) continue;
    print(subject, await measure(subject, seconds), seconds);
  }
}

type Subject = 'tray' | 'window' | 'blank';

async function measure(subject: Subject, seconds: number): Promise<IdleStats> {
  const electron = await findElectron({ retry: false });
  if ('reason' in electron) throw new Error(electron.reason);
  const lifetime = new Lifetime('an idle desktop');
  try {
    const home = await mkdtemp(join(tmpdir(), 'parley-idle-'));
    lifetime.add(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
    // Without a window manager, the window has no keyboard focus and so no blinking caret.
    if (which('openbox') !== undefined) await startWindowManager(lifetime);
    const bus = await TestBus.start(lifetime);
    await new TrayHost(bus.connect(lifetime)).appear();
    await mkdir(join(home, 'state'));
    await writeFile(
      join(home, 'state/settings.json'),
      '{"version":1,"firstRun":{"done":true},"told":{"keptInTray":true}}',
    );
    await mkdir(join(home, 'blank'));
    await writeFile(join(home, 'blank/package.json'), '{"main":"main.cjs"}');
    await writeFile(join(home, 'blank/main.cjs'), blankApp);
    const child = spawn(
      electron.executable,
      [
        subject === 'blank' ? join(home, 'blank') : rootDir,
        ...(subject === 'tray' ? ['--hidden'] : []),
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
      {
        env: {
          ...process.env,
          XDG_CONFIG_HOME: home,
          PARLEY_STATE_DIR: join(home, 'state'),
          DBUS_SESSION_BUS_ADDRESS: bus.address,
          XDG_CURRENT_DESKTOP: 'KDE',
        },
        stdio: 'ignore',
      },
    );
    await once(child, 'spawn');
    const exit = once(child, 'exit');
    lifetime.add(async () => {
      child.kill('SIGTERM');
      await exit;
    });
    await delay(settleSeconds * 1000);
    const before = readUse(child.pid ?? 0);
    const began = performance.now();
    await delay(seconds * 1000);
    const after = readUse(child.pid ?? 0);
    if (child.exitCode !== null) throw new Error(`The ${subject} ended with ${child.exitCode}.`);
    return diffUsage(before, after, (performance.now() - began) / 1000);
  } finally {
    await lifetime.end();
  }
}

function print(subject: Subject, stats: IdleStats, seconds: number): void {
  const { cpuPercent, threads } = stats;
  const fast = threads.filter(({ wakesPerSecond }) => wakesPerSecond > limits.wakesPerSecond);
  const lines = threads
    .slice(0, shownThreads)
    .map(
      ({ where, wakesPerSecond, cpuPercent: share }) =>
        `    ${wakesPerSecond.toFixed(2).padStart(7)} wakes/s  ${share.toFixed(3)} %  ${where}\n`,
    );
  const verdict = ` (at most ${limits.cpuPercent}: ${cpuPercent < limits.cpuPercent ? 'met' : 'NOT MET'})`;
  process.stdout.write(
    `${subject}, ${seconds} s idle, load ${loadavg()[0]?.toFixed(1)}: ${cpuPercent.toFixed(3)} % of a core` +
      `${subject === 'tray' ? verdict : ''}, ` +
      `threads with more than ${limits.wakesPerSecond} wake-up a second: ${fast.length}\n${lines.join('')}`,
  );
}

const blankApp = `
const { app, BrowserWindow } = require('electron');
app.whenReady().then(() => new BrowserWindow({ width: 900, height: 680 }).loadURL('data:text/html,<p>Blank'));
`;

interface ThreadUse {
  readonly name: string;
  readonly cpuMs: number;
  /** Voluntary context switches: each follows a wake-up. */
  readonly wakes: number;
}

/** A process, its role in the app, and its threads by id. */
interface ProcessUse {
  readonly role: string;
  readonly threads: ReadonlyMap<number, ThreadUse>;
}

interface IdleStats {
  /** Percent of one core, for all processes. */
  readonly cpuPercent: number;
  /** Threads that woke up, by number of wakes. */
  readonly threads: readonly {
    readonly where: string;
    readonly wakesPerSecond: number;
    readonly cpuPercent: number;
  }[];
}

/** Reads the usage of the app and all its descendants from /proc. */
function readUse(main: number): ReadonlyMap<number, ProcessUse> {
  const pids = [main, ...childrenOf(main)];
  return new Map(pids.map((pid) => [pid, { role: roleOf(pid, main), threads: threadsOf(pid) }]));
}

function diffUsage(
  before: ReadonlyMap<number, ProcessUse>,
  after: ReadonlyMap<number, ProcessUse>,
  seconds: number,
): IdleStats {
  const threads = [...after].flatMap(([pid, { role, threads: now }]) =>
    [...now].map(([tid, use]) => {
      const then = before.get(pid)?.threads.get(tid);
      return {
        where: `${role}: ${use.name}`,
        wakesPerSecond: (use.wakes - (then?.wakes ?? 0)) / seconds,
        cpuPercent: (use.cpuMs - (then?.cpuMs ?? 0)) / (seconds * 10),
      };
    }),
  );
  return {
    cpuPercent: threads.reduce((sum, { cpuPercent }) => sum + cpuPercent, 0),
    threads: threads
      .filter(({ wakesPerSecond }) => wakesPerSecond > 0)
      .toSorted((one, other) => other.wakesPerSecond - one.wakesPerSecond),
  };
}

function roleOf(pid: number, main: number): string {
  if (pid === main) return 'main';
  const command = readCommand(pid);
  const named = /--utility-sub-type=([\w.]+)/.exec(command) ?? /--type=([\w-]+)/.exec(command);
  return named?.[1] ?? 'child';
}

function threadsOf(pid: number): ReadonlyMap<number, ThreadUse> {
  const found = new Map<number, ThreadUse>();
  try {
    for (const tid of readdirSync(`/proc/${pid}/task`)) {
      const folder = `/proc/${pid}/task/${tid}`;
      const status = readFileSync(`${folder}/status`, 'utf8');
      const [onCpu = '0'] = readFileSync(`${folder}/schedstat`, 'utf8').split(' ');
      found.set(Number(tid), {
        // Chromium names its threads; threads of Node and libraries have the program's name.
        name: Number(tid) === pid ? 'its first thread' : `${nameIn(status)} ${Number(tid) - pid}`,
        cpuMs: Number(onCpu) / 1e6,
        wakes: Number(/^voluntary_ctxt_switches:\t(\d+)$/m.exec(status)?.[1] ?? 0),
      });
    }
  } catch {
    // The thread or process has ended.
  }
  return found;
}

function nameIn(status: string): string {
  return /^Name:\t(.*)$/m.exec(status)?.[1] ?? 'unnamed';
}
