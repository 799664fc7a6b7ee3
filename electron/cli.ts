import { processTerminal } from './hosts/terminal/screen.ts';
import { runTerminal } from './hosts/terminal/terminal.ts';

process.exitCode = await runTerminal(process.argv.slice(2), processTerminal());
