import { composeParley } from '../../compose.ts';
import { describeError } from '../../describe-error.ts';
import { version } from '../../version.ts';
import { chat } from './chat.ts';
import { CommandError, UsageError } from './command.ts';
import type { Command, Terminal } from './command.ts';
import { devices } from './devices.ts';
import { doctor } from './doctor.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { gateway } from './gateway.ts';
import { commandHelp, helpText } from './help.ts';
import { replay } from './replay.ts';
import { talk } from './talk.ts';

const commands: readonly Command[] = [chat, talk, replay, gateway, devices, doctor];

/** Runs one `parley` command; the returned number is the exit code. */
export async function runTerminal(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [first, ...rest] = args;
  if (first === '--version') {
    terminal.out(`${version}\n`);
    return exitCode.done;
  }
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') {
    terminal.out(helpText(version, commands));
    return exitCode.done;
  }
  const command = commands.find(({ name }) => name === first);
  if (command === undefined) {
    terminal.err(`There is no command "${first}"; "parley --help" lists them.\n`);
    return exitCode.wrongUsage;
  }
  if (rest.includes('--help')) {
    terminal.out(commandHelp(command));
    return exitCode.done;
  }
  return runCommand(command, rest, terminal);
}

async function runCommand(
  command: Command,
  args: readonly string[],
  terminal: Terminal,
): Promise<ExitCode> {
  const parley = composeParley('terminal', version);
  try {
    return await command.run(args, terminal, parley);
  } catch (error) {
    terminal.err(`${describeError(error)}\n`);
    if (error instanceof UsageError) {
      terminal.err(`"parley ${command.name} --help" shows its options.\n`);
    }
    return error instanceof CommandError ? error.code : exitCode.failed;
  } finally {
    await parley.lifetime.end();
  }
}
