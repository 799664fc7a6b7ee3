import type { PartName, PartState } from '../shared/about.ts';

/** Time as the core sees it: monotonic milliseconds from an origin of the clock's choice. */
export interface Clock {
  readonly now: () => number;
  /** Runs once after the delay, unless the returned function is called before. */
  readonly after: (milliseconds: number, run: () => void) => () => void;
}

export type LogLevel = 'info' | 'warn' | 'error';

/** For the person who mends Parley, never for its user, and never with a secret in it. */
export interface Log {
  readonly write: (level: LogLevel, message: string) => void;
}

/** The native libraries. Loading one never rejects: what went wrong is the state's reason. */
export interface NativeParts {
  readonly load: (part: PartName) => Promise<PartState>;
}
