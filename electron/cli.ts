import { runTerminal } from './hosts/terminal/terminal.ts';

process.exitCode = await runTerminal(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
