import { runEntry } from './hosts/run-entry.ts';

await runEntry(async () => {
  const [{ composeLog }, { guardProcess, sayOnStderr }, { processTerminal }, { runTerminal }] =
    await Promise.all([
      import('./core/compose-log.ts'),
      import('./hosts/guard-process.ts'),
      import('./hosts/terminal/process-terminal.ts'),
      import('./hosts/terminal/terminal.ts'),
    ]);
  return () => {
    guardProcess({ log: composeLog(), end: sayOnStderr, stays: false });
    return runTerminal(process.argv.slice(2), processTerminal());
  };
});
