// The entry of `parley` in a terminal.
import { runEntry } from './hosts/guard-process.ts';

await runEntry(async () => {
  const { runInProcess } = await import('./hosts/terminal/run-terminal.ts');
  return () => runInProcess(process.argv.slice(2));
});
