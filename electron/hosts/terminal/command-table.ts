import { remoteCommands } from './commands/remote-commands.ts';
import type { CommandSpec } from './options/command-spec.ts';
import type { TerminalCommand } from './terminal-command.ts';

type LoadCommand = () => Promise<TerminalCommand>;

/** The commands that run in their own process, in the order of the help. Each is loaded on use. */
const ownCommands: Readonly<Record<string, LoadCommand>> = {
  chat: async () => (await import('./commands/chat-command.ts')).chatCommand,
  talk: async () => (await import('./commands/talk-command.ts')).talkCommand,
  dictate: async () => (await import('./commands/dictate-command.ts')).dictateCommand,
  replay: async () => (await import('./commands/replay-command.ts')).replayCommand,
  tape: async () => (await import('./commands/tape-command.ts')).tapeCommand,
  history: async () => (await import('./commands/history-command.ts')).historyCommand,
  memory: async () => (await import('./commands/memory-command.ts')).memoryCommand,
  rerun: async () => (await import('./commands/rerun-command.ts')).rerunCommand,
  compare: async () => (await import('./commands/compare-command.ts')).compareCommand,
  gateway: async () => (await import('./commands/gateway-command.ts')).gatewayCommand,
  model: async () => (await import('./commands/model-command.ts')).modelCommand,
  actions: async () => (await import('./commands/actions-command.ts')).actionsCommand,
  devices: async () => (await import('./commands/devices-command.ts')).devicesCommand,
  doctor: async () => (await import('./commands/doctor-command.ts')).doctorCommand,
  report: async () => (await import('./commands/report-command.ts')).reportCommand,
  bench: async () => (await import('./commands/bench-command.ts')).benchCommand,
  completion: async () =>
    (await import('./commands/completion-command.ts')).completionCommand(loadSpecs),
};

export const commands: ReadonlyMap<string, LoadCommand> = new Map([
  ...Object.entries(ownCommands),
  ...remoteCommands.map((command) => [command.spec.name, () => Promise.resolve(command)] as const),
]);

/** Loads the specs for help, completion and docs/commands.md. */
export async function loadSpecs() {
  const own = await Promise.all(Object.values(ownCommands).map((load) => load()));
  return { own: own.map(specOf), remote: remoteCommands.map(specOf) };
}

function specOf({ spec }: TerminalCommand): CommandSpec {
  return spec;
}
