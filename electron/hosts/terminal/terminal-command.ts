import type { Outcome } from '../../../shared/errors/app-error.ts';
import type { HostProcesses } from '../../../shared/ports/child-process.ts';
import type { ExitCode } from './exit-code.ts';
import type { OpenLineInput } from './line-input.ts';
import type { CommandArguments, CommandSpec } from './options/command-spec.ts';
import { readArguments } from './options/read-arguments.ts';
import type { TerminalCore } from './terminal-core.ts';
import type { OpenKeys } from './typed-keys.ts';

/** Where a command reads from and writes to; results go to `out`, everything else to `err`. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** There when `out` is a screen that a person looks at. */
  readonly screen?: Screen | undefined;
  /** Kept beside this one by commands that have a core. */
  readonly processes?: HostProcesses | undefined;
  /** What the person keeps in the environment for every server they name. */
  readonly environmentToken?: (() => string | undefined) | undefined;
  /** Everything that is piped in, as text. */
  readonly readIn?: (() => Promise<Outcome<string>>) | undefined;
  /** A line after the other, typed at a prompt or piped in. */
  readonly openLines?: OpenLineInput | undefined;
  /** The keys of who sits at the screen; none where somebody else is at the other end, or has read it already. */
  readonly openKeys?: OpenKeys | undefined;
  /** Calls back each time the person presses Ctrl-C, until the returned function is called. */
  readonly onInterrupt?: ((listener: () => void) => () => void) | undefined;
}

export interface Screen {
  /** Asked each time, because windows are resized. */
  readonly columns: () => number;
  readonly colours: boolean;
}

/** Opens the core, which takes time to load; as much of it as a command says it needs. */
export type OpenCore<Core = TerminalCore> = () => Core | Promise<Core>;

export interface TerminalCommand<Core = TerminalCore> {
  readonly spec: CommandSpec;
  readonly run: (
    args: readonly string[],
    terminal: Terminal,
    openCore: OpenCore<Core>,
  ) => Promise<ExitCode>;
}

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
