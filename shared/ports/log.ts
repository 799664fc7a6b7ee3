/**
 * `info` is the normal course of events. `warn`: something is missing or was refused, and Parley continues without
 * it. `error` is a fault to fix.
 */
export type LogLevel = 'info' | 'warn' | 'error';

/** For developers. Never contains secrets or content of talks. Writing never throws. */
export interface Log {
  readonly write: (level: LogLevel, message: string) => void;
}

export interface LogFolder {
  readonly path: string;
  /** Reports whether the file is writable: at once if not, then on each change. It has one listener. */
  readonly onWritableChange: (listener: (written: boolean) => void) => void;
}

export interface FileLog extends Log {
  readonly folder?: LogFolder;
}

/** A log that counts repeated messages until `flush` writes them. */
export interface CountingLog extends Log {
  readonly flush: () => void;
}
