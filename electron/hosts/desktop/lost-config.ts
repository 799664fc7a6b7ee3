import { accessSync, constants, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { app } from 'electron';
import type { StartRefusal } from '../start-refusal.ts';

/**
 * The folder of settings, where the engine may not write into it. It would end without a word, or take itself for the
 * second start: it gets another folder, for as long as it takes to say why.
 */
export function lostConfig(): StartRefusal | undefined {
  try {
    // A package's engine throws where it cannot make it.
    const folder = app.getPath('userData');
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch {
    const other = mkdtempSync(join(tmpdir(), 'parley-'));
    process.once('exit', () => {
      rmSync(other, { recursive: true, force: true });
    });
    app.setPath('userData', other);
    return { kind: 'config', folder: app.getPath('appData') };
  }
}
