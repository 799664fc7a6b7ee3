import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { _electron, type ElectronApplication } from '@playwright/test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { findElectron } from '../../../scripts/lib/electron-runtime.mjs';
import { inRoot } from '../../../scripts/lib/root.mjs';
import { runInTurns, type Row } from './row.ts';
import { displayVerdict } from '../../../scripts/lib/display.mjs';

const settlesMs = 8000;
const requests = 400;

interface DesktopStats {
  readonly memory: number;
  readonly answer: number;
}

/** Memory of the idle window, and the core's response time to its page. */
export async function measureDesktop(): Promise<readonly Row[]> {
  const electron = await findElectron({ retry: false });
  if ('reason' in electron) throw new Error(electron.reason);
  const { executable } = electron;
  const blank = join('test', 'bench', 'overview', 'blank', 'main.mjs');
  const baseline = await measureProgram(executable, inRoot(blank));
  const ours = await measureProgram(executable, inRoot());
  const again = await measureProgram(executable, inRoot(blank));
  const row = (
    id: string,
    what: string,
    unit: string,
    of: (stats: DesktopStats) => number,
  ): Row => ({
    id,
    section: 'Window',
    what,
    unit,
    ours: of(ours),
    beside: 'a blank window of the same Electron',
    baseline: of(baseline),
    again: of(again),
  });
  return [
    row('desktop.memory', 'memory of all processes while idle (PSS)', 'MB', ({ memory }) => memory),
    row('desktop.answer', 'round trip of a request from the page', 'ms', ({ answer }) => answer),
  ];
}

async function measureProgram(executablePath: string, program: string): Promise<DesktopStats> {
  const home = mkdtempSync(join(tmpdir(), 'parley-desktop-'));
  const app = await _electron.launch({
    executablePath,
    args: [program, '--lang=en-GB', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    env: { ...process.env, XDG_CONFIG_HOME: home, PARLEY_STATE_DIR: home },
  });
  try {
    const memory = await memoryOf(app);
    return { memory, answer: await answerTime(app) };
  } finally {
    await app.close();
    rmSync(home, { recursive: true, force: true });
  }
}

async function memoryOf(app: ElectronApplication): Promise<number> {
  await app.firstWindow();
  await delay(settlesMs);
  const pids = await app.evaluate(({ app }) => app.getAppMetrics().map(({ pid }) => pid));
  return pids.reduce((sum, pid) => sum + pssMb(pid), 0);
}

/** Proportional set size: shared pages count in part for each process. */
function pssMb(pid: number): number {
  if (!readdirSync('/proc').includes(String(pid))) return 0;
  const found = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
  return Number(found ?? Number.NaN) / 1024;
}

async function answerTime(app: ElectronApplication): Promise<number> {
  const page = await app.firstWindow();
  return page.evaluate(async (requests) => {
    const { parley } = globalThis as unknown as {
      readonly parley: { readonly request: (name: string) => Promise<unknown> };
    };
    // Measures many, because a page's clock is coarse.
    const began = performance.now();
    for (let sent = 0; sent < requests; sent += 1) await parley.request('windows');
    return (performance.now() - began) / requests;
  }, requests);
}

const rounds = 7;

/** Time from process start to the window's first content. */
export async function measureStartup(): Promise<readonly Row[]> {
  const electron = await findElectron({ retry: false });
  if ('reason' in electron) throw new Error(electron.reason);
  const screen = await displayVerdict();
  if ('reason' in screen) throw new Error(screen.reason);
  const homes = ['parley', 'blank', 'again'].map((name) =>
    mkdtempSync(join(tmpdir(), `parley-${name}-`)),
  );
  const [parley = '', blank = '', again = ''] = homes;
  const { executable } = electron;
  try {
    const found = await runInTurns(rounds, {
      baseline: () => startWindow(executable, 'blank', blank),
      ours: () => startWindow(executable, 'parley', parley),
      again: () => startWindow(executable, 'blank', again),
    });
    return [
      {
        id: 'startup.window',
        section: 'Start',
        what: 'from process start to the first content of the window',
        unit: 'ms',
        beside: 'a blank window of the same Electron',
        ...found,
      },
    ];
  } finally {
    for (const home of homes) rmSync(home, { recursive: true, force: true });
  }
}

/** Milliseconds from process start to the window's first content. */
async function startWindow(
  executable: string,
  which: 'parley' | 'blank',
  home: string,
): Promise<number> {
  const main = pathToFileURL(inRoot('out', 'main', 'main.js')).href;
  const began = Date.now();
  const child = spawn(
    executable,
    [
      inRoot('test', 'bench', 'window', 'measured-window.mjs'),
      ...(which === 'parley' ? [`--parley=${main}`] : []),
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--lang=en-GB',
    ],
    {
      env: { ...process.env, XDG_CONFIG_HOME: home, PARLEY_STATE_DIR: home },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  let said = '';
  child.stdout.on('data', (text: Buffer) => (said += text.toString()));
  await once(child, 'close');
  const paintedAt = /painted ([\d.]+)/.exec(said)?.[1];
  if (paintedAt === undefined) throw new Error(`The ${which} window reported no paint.`);
  return Number(paintedAt) - began;
}
