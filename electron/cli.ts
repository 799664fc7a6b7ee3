import { runEntry } from './hosts/run-entry.ts';

await runEntry(async () => {
  const [{ processTerminal }, { runTerminal }] = await Promise.all([
    import('./hosts/terminal/process-terminal.ts'),
    import('./hosts/terminal/terminal.ts'),
  ]);
  return () => runTerminal(process.argv.slice(2), processTerminal());
});
