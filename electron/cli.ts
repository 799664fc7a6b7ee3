import { runEntry } from './run-entry.ts';

await runEntry(async () => {
  const { runTerminal } = await import('./hosts/terminal/terminal.ts');
  return () =>
    runTerminal(process.argv.slice(2), {
      out: (text) => process.stdout.write(text),
      err: (text) => process.stderr.write(text),
    });
});
