import type { Parley } from '../../compose.ts';
import type { ExitCode } from './exit-code.ts';

/** Where a command reads from and writes to; results go to `out`, everything else to `err`. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  readonly run: (args: readonly string[], terminal: Terminal, parley: Parley) => Promise<ExitCode>;
}

/** Wrong usage: one sentence, shown with the way to the command's help. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
