/** Exit codes of `parley`; scripts rely on them. */
export const exitCode = {
  done: 0,
  failed: 1,
  wrongUsage: 2,
  outOfReach: 3,
  noDevice: 4,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

export class CommandError extends Error {
  override readonly name: string = 'CommandError';
  readonly code: ExitCode;

  constructor(message: string, code: ExitCode, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Wrong usage: shown with a hint to the command's help. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError';

  constructor(message: string, options?: ErrorOptions) {
    super(message, exitCode.wrongUsage, options);
  }
}
