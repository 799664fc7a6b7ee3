import { runEntry } from './hosts/run-entry.ts';

await runEntry(async () => {
  const [{ guardProcess, sayOnStderr }, { processTerminal }, { runTerminal }] = await Promise.all([
    import('./hosts/guard-process.ts'),
    import('./hosts/terminal/process-terminal.ts'),
    import('./hosts/terminal/terminal.ts'),
  ]);
  return () => {
    guardProcess({ end: sayOnStderr, stays: false });
    return runTerminal(process.argv.slice(2), processTerminal());
  };
});
