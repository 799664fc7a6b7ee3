import type { ToolServerView } from './tool-server.ts';

/** A reminder that is set. */
export interface Reminder {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly text: string;
}

/** Names a tool. `server` is empty for a tool of Parley. */
export interface ToolRef {
  readonly server: string;
  readonly tool: string;
}

/** The tools as Settings shows them, besides their switches. */
export interface ToolsView {
  readonly reminders: readonly Reminder[];
  /** Reminders whose time has come, until the user dismisses them. */
  readonly due: readonly Reminder[];
  /** Files and folders that the user shared. */
  readonly places: readonly string[];
  /** Tools that run without asking the user. */
  readonly always: readonly ToolRef[];
  readonly servers: readonly ToolServerView[];
}

export const noTools: ToolsView = { reminders: [], due: [], places: [], always: [], servers: [] };
