import type { Parley } from '../../core/compose-parley.ts';
import type { Outcome } from '../../ports/outcome.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';

/** Where a command reads from and writes to; results go to `out`, everything else to `err`. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** There when `out` is a screen that a person looks at. */
  readonly screen?: Screen | undefined;
  /** Everything that is piped in, as text. */
  readonly readIn?: (() => Promise<Outcome<string>>) | undefined;
  /** Calls back each time the person presses Ctrl-C, until the returned function is called. */
  readonly onInterrupt?: ((told: () => void) => () => void) | undefined;
}

export interface Screen {
  /** Asked each time, because windows are resized. */
  readonly columns: () => number;
  readonly colours: boolean;
}

/** What a command tells of itself. */
export interface CommandHelp {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  /** What the options mean, a line each. */
  readonly details?: readonly string[] | undefined;
}

export interface TerminalCommand extends CommandHelp {
  readonly run: (args: readonly string[], terminal: Terminal, parley: Parley) => Promise<ExitCode>;
}

/** A command that asks the Parley that runs, and needs no core of its own. */
export interface RemoteCommand extends CommandHelp {
  readonly run: (args: readonly string[], terminal: Terminal) => Promise<ExitCode>;
}

/** A command cannot go on: one sentence, and what to exit with. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
  readonly code: ExitCode;

  constructor(message: string, code: ExitCode, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Wrong usage: one sentence, shown with the way to the command's help. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError';

  constructor(message: string, options?: ErrorOptions) {
    super(message, exitCode.wrongUsage, options);
  }
}
