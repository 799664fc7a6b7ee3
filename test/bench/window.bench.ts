import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { displayVerdict } from '../../scripts/lib/display.mjs';
import { findElectron } from '../../scripts/lib/electron-runtime.mjs';
import { inRoot } from '../../scripts/lib/root.mjs';
import { hurry, hurrySession, urgencyInWords } from './conversation/urgent.ts';

/** What is promised of Parley's own window, and beside the blank one. */
const most = { milliseconds: 1500, ratio: 1.6 };

/**
 * From the start of the process to the first content of its window: Parley as it was built last, and a
 * blank Electron window, in turns, so that what else the machine does meets both. Each has a profile of its
 * own, which the first, uncounted start of each fills. `--times 15`.
 */
export async function bench(): Promise<void> {
  const at = process.argv.indexOf('--times');
  const times = at === -1 ? 11 : Number(process.argv[at + 1]);
  const electron = await findElectron({ retry: false });
  if ('reason' in electron) throw new Error(electron.reason);
  const screen = await displayVerdict();
  if ('reason' in screen) throw new Error(screen.reason);
  hurrySession();
  hurry(process.pid);
  const homes = {
    parley: mkdtempSync(join(tmpdir(), 'parley-window-')),
    blank: mkdtempSync(join(tmpdir(), 'parley-blank-')),
  };
  const figures: Record<'parley' | 'blank', number[]> = { parley: [], blank: [] };
  for (let round = -1; round < times; round += 1) {
    for (const which of ['blank', 'parley'] as const) {
      const took = await start(electron.executable, which, homes[which]);
      if (round >= 0) figures[which].push(took);
    }
  }
  for (const home of Object.values(homes)) rmSync(home, { recursive: true, force: true });
  const parley = median(figures.parley);
  const blank = median(figures.blank);
  const ratio = parley / blank;
  const pairs = figures.parley.map((took, round) => took / (figures.blank[round] ?? Number.NaN));
  const shown = (list: readonly number[]): string => {
    const sorted = list.toSorted((a, b) => a - b).map(Math.round);
    return `${Math.round(median(list))} ms in the median (${sorted[0]} to ${sorted.at(-1)})`;
  };
  const verdict = (met: boolean): string => (met ? 'met' : 'NOT MET');
  process.stdout.write(
    `Start to first content, ${times} times each in turns, load ${loadavg()[0]?.toFixed(1)}; ` +
      `${urgencyInWords}\n` +
      `  Parley        ${shown(figures.parley)}\n` +
      `  blank window  ${shown(figures.blank)}\n` +
      `  at most ${most.milliseconds} ms: ${verdict(parley <= most.milliseconds)}; ` +
      `at most ${most.ratio} times the blank one: ${verdict(ratio <= most.ratio)} (${ratio.toFixed(2)}; ` +
      `${median(pairs).toFixed(2)} in the median of the pairs)\n`,
  );
}

async function start(executable: string, which: 'parley' | 'blank', home: string): Promise<number> {
  const main = pathToFileURL(inRoot('out', 'main', 'main.js')).href;
  const began = Date.now();
  const child = spawn(
    executable,
    [
      inRoot('test', 'bench', 'window', 'subject.mjs'),
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
  if (paintedAt === undefined) throw new Error(`The ${which} window told of no paint.`);
  return Number(paintedAt) - began;
}

function median(list: readonly number[]): number {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN;
}
