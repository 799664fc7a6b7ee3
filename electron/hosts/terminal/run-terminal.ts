import { describeError } from '../../../shared/harmless-text.ts';
import { composeLog } from '../../app/process-log.ts';
import { version } from '../built.ts';
import { guardProcess, sayOnStderr } from '../guard-process.ts';
import { couldNotStart } from '../run-entry.ts';
import { coreCommands, corelessCommands, ownSpecs, remoteSpecs } from './command-table.ts';
import { CommandError, exitCode, type ExitCode, UsageError } from './exit-code.ts';
import type { CommandSpec } from './options/command-spec.ts';
import { nearestName } from './options/read-arguments.ts';
import { type CommandProgram, processTerminal } from './process-terminal.ts';
import type { CorelessCommand, Terminal, TerminalCommand } from './terminal-command.ts';
import { terminalCore } from './terminal-core.ts';
import { commandHelp, helpText } from './views/command-help.ts';

/** Runs one `parley` command; the returned number is the exit code. */
export async function runTerminal(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [first, ...rest] = args;
  if (first === '--version') {
    terminal.out(`${version}\n`);
    return exitCode.done;
  }
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') {
    terminal.out(helpText(version, ownSpecs, remoteSpecs));
    return exitCode.done;
  }
  const coreless = corelessCommands.find(({ spec }) => spec.name === first);
  if (coreless !== undefined) return runCommand(coreless, coreless.run, rest, terminal);
  const command = coreCommands.find(({ spec }) => spec.name === first);
  if (command !== undefined) return runCommand(command, withCore(command), rest, terminal);
  terminal.err(`${unknownCommand(first)}\n`);
  return exitCode.wrongUsage;
}

function unknownCommand(name: string): string {
  const names = [...ownSpecs, ...remoteSpecs].map((spec) => spec.name);
  const meant = nearestName(name, names);
  const hint = meant === undefined ? '' : ` did you mean "${meant}"?`;
  return `There is no command "${name}";${hint} "parley --help" lists them.`;
}

/** Loaded only where it is needed: whoever presses a talk key does not want to wait for it. */
function withCore(command: TerminalCommand): CorelessCommand['run'] {
  return async (args, terminal) => {
    const { openParley } = await loadCore();
    const parley = openParley('terminal', version, undefined, {
      processes: terminal.processes,
    });
    try {
      return await command.run(args, terminal, terminalCore(parley));
    } finally {
      await parley.lifetime.end();
    }
  };
}

/** The core brings packages along, which an interrupted copy may have spoilt. */
const loadCore = () =>
  import('../../app/parley.ts').catch((error: unknown) => {
    throw new CommandError(couldNotStart(error), exitCode.failed, { cause: error });
  });

/** What cannot go on ends in one sentence. */
async function runCommand(
  { spec }: { readonly spec: CommandSpec },
  run: CorelessCommand['run'],
  args: readonly string[],
  terminal: Terminal,
): Promise<ExitCode> {
  if (args.includes('--help')) {
    terminal.out(commandHelp(spec));
    return exitCode.done;
  }
  try {
    return await run(args, terminal);
  } catch (error) {
    terminal.err(`${describeError(error)}\n`);
    if (error instanceof UsageError) {
      terminal.err(`"parley ${spec.name} --help" shows its options.\n`);
    }
    return error instanceof CommandError ? error.code : exitCode.failed;
  }
}

/** Runs one command with the streams and signals of this process; the number is its exit code. */
export function runInProcess(words: readonly string[], program?: CommandProgram): Promise<number> {
  guardProcess({ log: composeLog(), end: sayOnStderr, stays: false });
  return runTerminal(words, processTerminal(program));
}
