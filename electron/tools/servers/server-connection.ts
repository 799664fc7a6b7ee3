import type { AppError, Outcome } from '../../../shared/errors/app-error.ts';
import type { JsonObject } from '../../../shared/protocol/json.ts';
import type { ServerTool, ToolServer } from '../../../shared/tools/stored-tools.ts';
import type { CallControl, ToolAnswer } from '../tool.ts';
import type { ServerValues } from './parse-server-file.ts';

/** A running server of the Model Context Protocol. */
export interface ServerConnection {
  readonly listTools: () => Promise<Outcome<readonly ListedTool[]>>;
  readonly call: (
    name: string,
    args: JsonObject,
    control: CallControl,
  ) => Promise<Outcome<ToolAnswer>>;
  /** Resolves when a program has ended. */
  readonly close: () => Promise<void>;
}

export type ListedTool = Omit<ServerTool, 'isOn'>;

export interface ServerListener {
  /** The server ended, or Parley ended it because it misbehaved. Called once at most, and not after `close`. */
  readonly onClosed: (error: AppError) => void;
  readonly onToolsChanged: () => void;
}

/** Starts a program or connects to an address. */
export type ConnectServer = (
  server: Pick<ToolServer, 'name' | 'place'>,
  values: ServerValues,
  listener: ServerListener,
) => Promise<Outcome<ServerConnection>>;
