/** What `parley` exits with; scripts rely on these numbers. */
export const exitCode = {
  done: 0,
  failed: 1,
  wrongUsage: 2,
  outOfReach: 3,
  noDevice: 4,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

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
