import { app } from 'electron';
import { beginStart, checkConfigFolder } from './hosts/desktop/begin-start.ts';
import { commandWords, startRefusal, type StartRefusal } from './hosts/desktop/start-arguments.ts';
import { runEntry } from './hosts/guard-process.ts';

async function openWindow(): Promise<void> {
  const begunStart = beginStart();
  if (begunStart === undefined) return;
  await runEntry(async () => {
    const [{ composeLog }, { openDesktop }, { killIfStuck }, { guardProcess }] = await Promise.all([
      import('./app/process-log.ts'),
      import('./hosts/desktop/start-desktop.ts'),
      import('./hosts/process-shutdown.ts'),
      import('./hosts/guard-process.ts'),
    ]);
    return () => {
      const log = composeLog();
      const { fail, isOpen } = openDesktop(log, begunStart, killIfStuck);
      guardProcess({ log, end: fail, isLongRunning: true, isOpen });
      return 0;
    };
  });
}

async function runCommand(words: readonly string[]): Promise<void> {
  await runEntry(async () => {
    const [{ prepareCommandProcess }, { runInProcess }] = await Promise.all([
      import('./hosts/desktop/utility-child.ts'),
      import('./hosts/terminal/run-terminal.ts'),
    ]);
    return async () => runInProcess(words, await prepareCommandProcess());
  });
  app.exit(Number(process.exitCode ?? 0));
}

async function showRefusal(refusal: StartRefusal): Promise<void> {
  await runEntry(async () => {
    const { showStartRefusal } = await import('./hosts/desktop/system-dialogs.ts');
    return () => showStartRefusal(refusal);
  });
  app.exit(Number(process.exitCode ?? 0));
}

const words = commandWords(process.argv);
// If Parley is not packaged, Electron has chosen its folders before this line.
const checkFolder = app.isPackaged && words === undefined ? checkConfigFolder : () => undefined;
const refusal = startRefusal(process.argv) ?? checkFolder();
if (refusal !== undefined) void showRefusal(refusal);
else if (words === undefined) await openWindow();
// Not awaited, because Electron becomes ready only after this file has run.
else void runCommand(words);
