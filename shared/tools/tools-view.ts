import type { ToolServerView } from './stored-tools.ts';
import type { AppError } from '../errors/app-error.ts';

/** A reminder that is set. */
export interface Reminder {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly text: string;
  /** Whether the reminder was due in an earlier run of Parley, which has notified the user. */
  readonly wasDue?: boolean | undefined;
}

/** Names a tool. `server` is empty for a tool of Parley. */
export interface ToolRef {
  readonly server: string;
  readonly tool: string;
}

/** The tools as Settings shows them, except their switches, which are settings. */
export interface ToolsView {
  readonly reminders: readonly Reminder[];
  /** Reminders whose time has come, until the user dismisses them. */
  readonly due: readonly Reminder[];
  /** Files and folders that the user shared. */
  readonly sharedPaths: readonly string[];
  /** Tools that the user always allows. Parley does not ask before they run. */
  readonly always: readonly ToolRef[];
  readonly servers: readonly ToolServerView[];
}

export const noTools: ToolsView = {
  reminders: [],
  due: [],
  sharedPaths: [],
  always: [],
  servers: [],
};

/** A tool server in the file of another program, without its secrets. */
export interface FoundServer {
  readonly id: string;
  readonly name: string;
  /** The command line or address. */
  readonly place: string;
  /** Names of the environment variables or headers that the server needs. */
  readonly variables: readonly string[];
  /** Whether Parley has the server already, or an earlier file lists it. */
  readonly isKnown?: boolean | undefined;
  /** Why the server cannot be added. */
  readonly problem?: AppError | undefined;
}

export interface FoundServerFile {
  readonly program: string;
  readonly path: string;
  readonly servers: readonly FoundServer[];
  /** Why the file cannot be read. */
  readonly problem?: AppError | undefined;
}
