import { describeError } from '../../describe-error.ts';
import { version } from '../../version.ts';
import { chat } from './chat.ts';
import { CommandError, UsageError } from './command.ts';
import type { Command, CommandText, Errand, Terminal } from './command.ts';
import { devices } from './devices.ts';
import { doctor } from './doctor.ts';
import { errands } from './errands.ts';
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
    terminal.out(helpText(version, commands, errands));
    return exitCode.done;
  }
  const errand = errands.find(({ name }) => name === first);
  if (errand !== undefined) return perform(errand, errand.run, rest, terminal);
  const command = commands.find(({ name }) => name === first);
  if (command !== undefined) return perform(command, withCore(command), rest, terminal);
  terminal.err(`There is no command "${first}"; "parley --help" lists them.\n`);
  return exitCode.wrongUsage;
}

/** Loaded only where it is needed: whoever presses a talk key does not want to wait for it. */
function withCore(command: Command): Errand['run'] {
  return async (args, terminal) => {
    const { composeParley } = await import('../../compose.ts');
    const parley = composeParley('terminal', version);
    try {
      return await command.run(args, terminal, parley);
    } finally {
      await parley.lifetime.end();
    }
  };
}

/** What cannot go on ends in one sentence. */
async function perform(
  about: CommandText,
  run: Errand['run'],
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
