import { setTimeout as rest } from 'node:timers/promises';
import { app, dialog } from 'electron';
import { processOutput } from '../../core/process-output.ts';
import { harmlessText } from '../../../shared/harmless-text.ts';

/** Nobody may be there to click it away, and then nothing may keep the process. */
const lookedAtMs = 60_000;

/** Says why Parley ends: in the terminal, and in a box for those who started it from an icon. */
export async function showFailure(sentence: string): Promise<void> {
  processOutput.err(`${harmlessText(sentence)}\n`);
  if (process.stderr.isTTY || !app.isReady()) return;
  const seen = new AbortController();
  // It was said in the terminal already, so a system that shows no boxes takes nothing away.
  const box = dialog
    .showMessageBox({ type: 'error', title: 'Parley', message: sentence })
    .catch(() => undefined);
  const longEnough = rest(lookedAtMs, undefined, { signal: seen.signal }).catch(() => undefined);
  await Promise.race([box, longEnough]);
  seen.abort();
}
