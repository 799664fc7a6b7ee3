/**
 * How bad it is. `info`: the ordinary course, what a later fault is read against. `warn`: something is
 * missing or was refused, and Parley works on without it. `error`: a fault, which somebody is to mend.
 */
export type LogLevel = 'info' | 'warn' | 'error';

/**
 * For the person who mends Parley, never for its user: never with a secret in it, nor with anything
 * that was said, written, heard or seen. Writing never throws.
 */
export interface Log {
  readonly write: (level: LogLevel, message: string) => void;
}

/** Where a log is kept on the disk. */
export interface LogPlace {
  readonly path: string;
  /** Whether it can be written there: at once where it cannot, and with each change. One hears of it. */
  readonly watch: (hear: (written: boolean) => void) => void;
}

/** A log that may have such a place. */
export interface PlacedLog extends Log {
  readonly place?: LogPlace;
}

/** A log that says when it is to write down what it has only counted. */
export interface CountingLog extends Log {
  readonly flush: () => void;
}
