import { describeError } from '../../../shared/describe-error.ts';
import { version } from '../version.ts';
import { chatCommand } from './commands/chat-command.ts';
import { CommandError, UsageError } from './terminal-command.ts';
import type { TerminalCommand, CommandHelp, RemoteCommand, Terminal } from './terminal-command.ts';
import { devicesCommand } from './commands/devices-command.ts';
import { doctorCommand } from './commands/doctor-command.ts';
import { remoteCommands } from './commands/remote-commands.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { gatewayCommand } from './commands/gateway-command.ts';
import { commandHelp, helpText } from './help.ts';
import { replayCommand } from './commands/replay-command.ts';
import { talkCommand } from './commands/talk-command.ts';

const commands: readonly TerminalCommand[] = [
  chatCommand,
  talkCommand,
  replayCommand,
  gatewayCommand,
  devicesCommand,
  doctorCommand,
];

/** Runs one `parley` command; the returned number is the exit code. */
export async function runTerminal(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [first, ...rest] = args;
  if (first === '--version') {
    terminal.out(`${version}\n`);
    return exitCode.done;
  }
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') {
    terminal.out(helpText(version, commands, remoteCommands));
    return exitCode.done;
  }
  const remoteCommand = remoteCommands.find(({ name }) => name === first);
  if (remoteCommand !== undefined)
    return runCommand(remoteCommand, remoteCommand.run, rest, terminal);
  const command = commands.find(({ name }) => name === first);
  if (command !== undefined) return runCommand(command, withCore(command), rest, terminal);
  terminal.err(`There is no command "${first}"; "parley --help" lists them.\n`);
  return exitCode.wrongUsage;
}

/** Loaded only where it is needed: whoever presses a talk key does not want to wait for it. */
function withCore(command: TerminalCommand): RemoteCommand['run'] {
  return async (args, terminal) => {
    const { composeParley } = await import('../../core/compose-parley.ts');
    const parley = composeParley('terminal', version);
    try {
      return await command.run(args, terminal, parley);
    } finally {
      await parley.lifetime.end();
    }
  };
}

/** What cannot go on ends in one sentence. */
async function runCommand(
  about: CommandHelp,
  run: RemoteCommand['run'],
  args: readonly string[],
  terminal: Terminal,
): Promise<ExitCode> {
  if (args.includes('--help')) {
    terminal.out(commandHelp(about));
    return exitCode.done;
  }
  try {
    return await run(args, terminal);
  } catch (error) {
    terminal.err(`${describeError(error)}\n`);
    if (error instanceof UsageError) {
      terminal.err(`"parley ${about.name} --help" shows its options.\n`);
    }
    return error instanceof CommandError ? error.code : exitCode.failed;
  }
}
