import type { Outcome } from '../../../shared/errors/app-error.ts';
import type { HostProcesses } from '../../../shared/ports/child-process.ts';
import type { ExitCode } from './exit-code.ts';
import type { OpenLineInput } from './line-input.ts';
import type { CommandArguments, CommandSpec } from './options/command-spec.ts';
import { readArguments } from './options/read-arguments.ts';
import type { TerminalCore } from './terminal-core.ts';
import type { OpenKeys } from './typed-keys.ts';

/** Input and output of a command. Results go to `out`, and all other texts to `err`. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** The screen that shows `out`. Undefined for a pipe or a file. */
  readonly screen?: Screen | undefined;
  /** How to start the core's child processes. */
  readonly processes?: HostProcesses | undefined;
  /** The token in the environment, for servers given by address. */
  readonly environmentToken?: (() => string | undefined) | undefined;
  readonly readIn?: (() => Promise<Outcome<string>>) | undefined;
  /** Opens line input, typed at a prompt or piped. */
  readonly openLines?: OpenLineInput | undefined;
  /** Opens single-key input. Undefined if no user is at the keyboard. */
  readonly openKeys?: OpenKeys | undefined;
  /** Calls back on each Ctrl-C or SIGTERM. Returns a function that stops this. */
  readonly onInterrupt?: ((listener: () => void) => () => void) | undefined;
}

export interface Screen {
  /** A function, because users resize terminals. */
  readonly columns: () => number;
  readonly colours: boolean;
}

/** Opens the core, which takes time to load. `Core` is the part that a command needs. */
export type OpenCore<Core = TerminalCore> = () => Core | Promise<Core>;

export interface TerminalCommand<Core = TerminalCore> {
  readonly spec: CommandSpec;
  readonly run: (
    args: readonly string[],
    terminal: Terminal,
    openCore: OpenCore<Core>,
  ) => Promise<ExitCode>;
}

/** Makes a command of a spec and a function that gets the parsed arguments. */
export function terminalCommand<const Spec extends CommandSpec, Core = TerminalCore>(
  spec: Spec,
  run: (
    given: CommandArguments<Spec>,
    terminal: Terminal,
    openCore: OpenCore<Core>,
  ) => Promise<ExitCode>,
): TerminalCommand<Core> {
  return {
    spec,
    run: async (args, terminal, openCore) => run(readArguments(spec, args), terminal, openCore),
  };
}
