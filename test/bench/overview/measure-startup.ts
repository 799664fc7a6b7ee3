import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { displayVerdict } from '../../../scripts/lib/display.mjs';
import { findElectron } from '../../../scripts/lib/electron-runtime.mjs';
import { startWindow } from '../window/start-window.ts';
import { runInTurns } from './row.ts';
import type { Row } from './row.ts';

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
