import type { AppError } from '../errors/app-error.ts';

/** A tool server in the file of another program, without its secrets. */
export interface FoundServer {
  readonly id: string;
  readonly name: string;
  /** The command line or address. */
  readonly place: string;
  /** Names of the environment variables or headers that it needs. */
  readonly variables: readonly string[];
  /** Whether Parley has it already, or an earlier file lists it. */
  readonly isKnown?: boolean | undefined;
  /** Why it cannot be added. */
  readonly problem?: AppError | undefined;
}

export interface FoundServerFile {
  readonly program: string;
  readonly path: string;
  readonly servers: readonly FoundServer[];
  /** Why the file cannot be read. */
  readonly problem?: AppError | undefined;
}
