/**
 * `info`: a normal event. `warn`: something is missing or was refused, and Parley continues without it. `error`: a fault of
 * Parley.
 */
export type LogLevel = 'info' | 'warn' | 'error';

/** A log for developers. It never contains secrets or what was said or written. Writing never throws. */
export interface Log {
  readonly write: (level: LogLevel, message: string) => void;
}

export interface LogFolder {
  readonly path: string;
  /** Reports whether the file is writable: at once if not, then on each change. It has one listener. */
  readonly onWritableChange: (listener: (isWritable: boolean) => void) => void;
}

export interface FileLog extends Log {
  readonly folder?: LogFolder;
}

/**
 * A log that writes a repeated message once and counts the others. `flush`, or a message a second later, writes the
 * count.
 */
export interface CountingLog extends Log {
  readonly flush: () => void;
}
