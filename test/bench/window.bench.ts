import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { displayVerdict } from '../../scripts/lib/display.mjs';
import { findElectron } from '../../scripts/lib/electron-runtime.mjs';
import { raisePriority, raiseSessionPriority, priorityInWords } from './conversation/priority.ts';
import { startWindow } from './window/start-window.ts';
import { median } from '../../shared/statistics.ts';
import { option } from './bench-helpers.ts';

/** Limits for Parley's window, absolute and relative to the blank one. */
const limits = { milliseconds: 1500, ratio: 1.6 };

/**
 * Time from process start to the window's first content: the last build of Parley and a blank Electron window, in turns, so
 * that other load affects both. Each has a separate profile, which an uncounted first start fills. `--times 15`.
 */
export async function bench(): Promise<void> {
  const times = Number(option('--times') ?? 11);
  const electron = await findElectron({ retry: false });
  if ('reason' in electron) throw new Error(electron.reason);
  const screen = await displayVerdict();
  if ('reason' in screen) throw new Error(screen.reason);
  raiseSessionPriority();
  raisePriority(process.pid);
  const homes = {
    parley: mkdtempSync(join(tmpdir(), 'parley-window-')),
    blank: mkdtempSync(join(tmpdir(), 'parley-blank-')),
  };
  const durations: Record<'parley' | 'blank', number[]> = { parley: [], blank: [] };
  for (let round = -1; round < times; round += 1) {
    for (const which of ['blank', 'parley'] as const) {
      const took = await startWindow(electron.executable, which, homes[which]);
      if (round >= 0) durations[which].push(took);
    }
  }
  for (const home of Object.values(homes)) rmSync(home, { recursive: true, force: true });
  const parley = median(durations.parley);
  const blank = median(durations.blank);
  const ratio = parley / blank;
  const pairs = durations.parley.map(
    (took, round) => took / (durations.blank[round] ?? Number.NaN),
  );
  const shown = (list: readonly number[]): string => {
    const sorted = list.toSorted((a, b) => a - b).map(Math.round);
    return `median ${Math.round(median(list))} ms (${sorted[0]} to ${sorted.at(-1)})`;
  };
  const verdict = (met: boolean): string => (met ? 'met' : 'NOT MET');
  process.stdout.write(
    `Start to first content, ${times} times each, alternating, load ${loadavg()[0]?.toFixed(1)}; ` +
      `${priorityInWords}\n` +
      `  Parley        ${shown(durations.parley)}\n` +
      `  blank window  ${shown(durations.blank)}\n` +
      `  limit ${limits.milliseconds} ms: ${verdict(parley <= limits.milliseconds)}; ` +
      `limit ${limits.ratio} times the blank window: ${verdict(ratio <= limits.ratio)} (${ratio.toFixed(2)}; ` +
      `median of the pairs ${median(pairs).toFixed(2)})\n`,
  );
}
