import { app } from 'electron';
import { commandWords } from './hosts/command-words.ts';
import { beginStart } from './hosts/desktop/begin-start.ts';
import { runEntry } from './hosts/run-entry.ts';
import { unwritableConfig } from './hosts/unwritable-config.ts';

async function openWindow(): Promise<void> {
  const begun = beginStart();
  if (begun === undefined) return;
  await runEntry(async () => {
    const [{ composeLog }, { openDesktop }, { killIfStuck }, { guardProcess }] = await Promise.all([
      import('./core/compose-log.ts'),
      import('./hosts/desktop/desktop.ts'),
      import('./hosts/end-in-time.ts'),
      import('./hosts/guard-process.ts'),
    ]);
    return () => {
      const log = composeLog();
      const { fail, isOpen } = openDesktop({ log, begun, lastWayOut: killIfStuck });
      guardProcess({ log, end: fail, stays: true, isOpen });
      return 0;
    };
  });
}

async function runCommand(words: readonly string[]): Promise<void> {
  await runEntry(async () => {
    const [{ commandInElectron }, { runInProcess }] = await Promise.all([
      import('./hosts/desktop/command-in-electron.ts'),
      import('./hosts/terminal/run-in-process.ts'),
    ]);
    return () => commandInElectron((starters) => runInProcess(words, starters));
  });
  app.exit(Number(process.exitCode ?? 0));
}

async function sayWhyNot(folder: string): Promise<void> {
  await runEntry(async () => {
    const { sayUnwritableConfig } = await import('./hosts/desktop/say-unwritable-config.ts');
    return () => sayUnwritableConfig(folder);
  });
  app.exit(Number(process.exitCode ?? 0));
}

const words = commandWords(process.argv);
const unwritable = unwritableConfig(process.argv);
if (unwritable !== undefined) void sayWhyNot(unwritable);
else if (words === undefined) await openWindow();
// Not waited for: Electron is not ready before this file has been run.
else void runCommand(words);
