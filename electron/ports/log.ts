/** How bad it is. */
export type LogLevel = 'info' | 'warn' | 'error';

/** For the person who mends Parley, never for its user, and never with a secret in it. */
export interface Log {
  readonly write: (level: LogLevel, message: string) => void;
}
