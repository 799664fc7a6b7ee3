import { describeError } from '../../../shared/errors/app-error.ts';
import type { HostProcesses } from '../../../shared/ports/child-process.ts';
import type { Parley } from '../../app/parley.ts';
import { composeLog } from '../../app/process-log.ts';
import { version } from '../build-info.ts';
import { guardProcess, printToStderr, couldNotStart } from '../guard-process.ts';
import { commands, loadSpecs } from './command-table.ts';
import { CommandError, exitCode, type ExitCode, UsageError } from './exit-code.ts';
import { nearestName } from './options/read-arguments.ts';
import { processTerminal } from './process-terminal.ts';
import type { Terminal, TerminalCommand } from './terminal-command.ts';
import { type TerminalCore, terminalCore } from './terminal-core.ts';
import { commandHelp, helpText } from './views/command-help.ts';

/** Runs one `parley` command and returns its exit code. */
export async function runTerminal(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [first, ...rest] = args;
  if (first === '--version') {
    terminal.out(`${version}\n`);
    return exitCode.done;
  }
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') {
    terminal.out(helpText(version, await loadSpecs()));
    return exitCode.done;
  }
  const load = commands.get(first);
  if (load !== undefined) return runCommand(await load().catch(failToLoad), rest, terminal);
  const suggestion = nearestName(first, [...commands.keys()]);
  const hint = suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`;
  terminal.err(`Unknown command "${first}".${hint} "parley --help" lists all commands.\n`);
  return exitCode.wrongUsage;
}

async function runCommand(
  { spec, run }: TerminalCommand,
  args: readonly string[],
  terminal: Terminal,
): Promise<ExitCode> {
  if (args.includes('--help')) {
    terminal.out(commandHelp(spec));
    return exitCode.done;
  }
  const core = new CommandCore(terminal);
  try {
    try {
      return await run(args, terminal, core.open);
    } finally {
      await core.end();
    }
  } catch (error) {
    terminal.err(`${describeError(error)}\n`);
    if (error instanceof UsageError) {
      terminal.err(`"parley ${spec.name} --help" shows its options.\n`);
    }
    return error instanceof CommandError ? error.code : exitCode.failed;
  }
}

/** Loads the core only if a command opens it, because a press of the talk key must be fast. */
class CommandCore {
  readonly #terminal: Terminal;
  #parley: Parley | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  readonly open = async (): Promise<TerminalCore> => {
    const { openParley } = await import('../../app/parley.ts').catch(failToLoad);
    const { processes } = this.#terminal;
    this.#parley = openParley('terminal', version, undefined, { processes });
    return terminalCore(this.#parley);
  };

  async end(): Promise<void> {
    await this.#parley?.lifetime.end();
  }
}

/** Reports a failed import, because a package may be damaged. */
function failToLoad(error: unknown): never {
  throw new CommandError(couldNotStart(error), exitCode.failed, { cause: error });
}

/** Runs one command with this process's streams and signals and returns its exit code. */
export function runInProcess(words: readonly string[], processes?: HostProcesses): Promise<number> {
  guardProcess({ log: composeLog(), end: printToStderr, isLongRunning: false });
  return runTerminal(words, processTerminal(processes));
}
