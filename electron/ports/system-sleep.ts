/** The system's own word that it slept. Where a host has none, the clocks are watched for it. */
export interface SystemSleep {
  /** Calls back each time the machine is awake again, until the returned function is called. */
  readonly onResume: (resumed: () => void) => () => void;
}
