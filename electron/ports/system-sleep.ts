/** The system's own word that it slept or was locked. Where a host has none, the clocks are watched for it. */
export interface SystemSleep {
  /** Calls back each time the machine is awake again, until the returned function is called. */
  readonly onResume: (resumed: () => void) => () => void;
  /** The same for each time it is about to sleep: there is a moment left, and no more. */
  readonly onSuspend: (suspending: () => void) => () => void;
  /** The same for each time the screen is locked: whoever comes back may be somebody else. */
  readonly onLock: (locked: () => void) => () => void;
}
