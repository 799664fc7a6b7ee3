import { runEntry } from './run-entry.ts';

await runEntry(async () => {
  const [{ processTerminal }, { runTerminal }] = await Promise.all([
    import('./hosts/terminal/screen.ts'),
    import('./hosts/terminal/terminal.ts'),
  ]);
  return () => runTerminal(process.argv.slice(2), processTerminal());
});
