import { benchCommand } from './commands/bench-command.ts';
import { chatCommand } from './commands/chat-command.ts';
import { compareCommand } from './commands/compare-command.ts';
import { createCompletionCommand } from './commands/completion-command.ts';
import { devicesCommand } from './commands/devices-command.ts';
import { doctorCommand } from './commands/doctor-command.ts';
import { gatewayCommand } from './commands/gateway-command.ts';
import { historyCommand } from './commands/history-command.ts';
import { remoteCommands } from './commands/remote-commands.ts';
import { replayCommand } from './commands/replay-command.ts';
import { rerunCommand } from './commands/rerun-command.ts';
import { tapeCommand } from './commands/tape-command.ts';
import { reportCommand } from './commands/report-command.ts';
import { talkCommand } from './commands/talk-command.ts';
import { updateCommand } from './commands/update-command.ts';
import type { CommandSpec } from './options/command-spec.ts';
import type { CorelessCommand, TerminalCommand } from './terminal-command.ts';

export const coreCommands: readonly TerminalCommand[] = [
  chatCommand,
  talkCommand,
  replayCommand,
  tapeCommand,
  historyCommand,
  rerunCommand,
  compareCommand,
  gatewayCommand,
  devicesCommand,
  doctorCommand,
  reportCommand,
];

const completionCommand = createCompletionCommand(() => [...ownSpecs, ...remoteSpecs]);

export const corelessCommands: readonly CorelessCommand[] = [
  completionCommand,
  benchCommand,
  updateCommand,
  ...remoteCommands,
];

/** What `parley` does itself. */
export const ownSpecs: readonly CommandSpec[] = [
  ...coreCommands,
  benchCommand,
  updateCommand,
  completionCommand,
].map(specOf);

/** What it asks of the Parley that runs. */
export const remoteSpecs: readonly CommandSpec[] = remoteCommands.map(specOf);

function specOf({ spec }: { readonly spec: CommandSpec }): CommandSpec {
  return spec;
}
