/** What `parley` exits with; scripts rely on these numbers. */
export const exitCode = {
  done: 0,
  failed: 1,
  wrongUsage: 2,
  outOfReach: 3,
  noDevice: 4,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];
