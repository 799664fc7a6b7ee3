import { app } from 'electron';
import { commandWords } from './hosts/command-words.ts';
import { beginStart } from './hosts/desktop/begin-start.ts';
import { lostConfig } from './hosts/desktop/lost-config.ts';
import { runEntry } from './hosts/run-entry.ts';
import { startRefusal } from './hosts/start-refusal.ts';
import type { StartRefusal } from './hosts/start-refusal.ts';

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
    const [{ commandInElectron, installedPackage }, { runInProcess }] = await Promise.all([
      import('./hosts/desktop/command-in-electron.ts'),
      import('./hosts/terminal/run-in-process.ts'),
    ]);
    return () =>
      commandInElectron((starters) => {
        const ownPackage = installedPackage();
        return runInProcess(words, { ...starters, ownPackage });
      });
  });
  app.exit(Number(process.exitCode ?? 0));
}

async function sayWhyNot(refusal: StartRefusal): Promise<void> {
  await runEntry(async () => {
    const { sayRefusal } = await import('./hosts/desktop/say-refusal.ts');
    return () => sayRefusal(refusal);
  });
  app.exit(Number(process.exitCode ?? 0));
}

const words = commandWords(process.argv);
// From its sources Electron has chosen its folders before this line.
const lost = app.isPackaged && words === undefined ? lostConfig : () => undefined;
const refusal = startRefusal(process.argv) ?? lost();
if (refusal !== undefined) void sayWhyNot(refusal);
else if (words === undefined) await openWindow();
// Not waited for: Electron is not ready before this file has been run.
else void runCommand(words);
