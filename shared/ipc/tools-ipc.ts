import { z } from 'zod';
import type { FoundServerFile, ToolsView } from '../tools/tools-view.ts';
import { maxToolServers } from '../tools/stored-tools.ts';
import { type HandlersOf, noInput, request } from './request-definition.ts';

const name = z.string().max(200);

/** Requests about tools. The user's decision about a call goes to the chat or talk of the call. */
export const toolRequests = {
  tools: request(noInput).answers<ToolsView>().withChangedBy('toolsChanged'),
  cancelReminder: request(z.strictObject({ id: z.number().int().min(1) })),
  /** Hides a reminder whose time has come. */
  dismissReminder: request(z.strictObject({ id: z.number().int().min(1) })),
  /** The user picks a file or folder in the system's dialog, for tools to read. */
  shareFile: request(noInput),
  shareFolder: request(noInput),
  unsharePlace: request(z.strictObject({ path: z.string().max(4000) })),
  /** Adds servers in the form that other assistants use. In the desktop app the user confirms each in a system dialog. */
  addToolServers: request(z.strictObject({ text: z.string().max(100_000) })),
  /** Adds servers from a file that the user picks. */
  importToolServers: request(noInput),
  /** Looks for tool servers in the files of other programs. */
  findToolServers: request(noInput).answers<readonly FoundServerFile[]>(),
  /** Adds servers that were found. In the desktop app the user confirms each in a system dialog. */
  addFoundServers: request(z.strictObject({ ids: z.array(name).max(maxToolServers) })),
  removeToolServer: request(z.strictObject({ id: name })),
  /** Starts a server and lists its tools. */
  lookAtToolServer: request(z.strictObject({ id: name })),
  switchServerTool: request(z.strictObject({ id: name, tool: name, isOn: z.boolean() })),
  /** Parley asks the user again before the tool's next call. */
  askAgainForTool: request(z.strictObject({ server: name, tool: name })),
};

export type ToolHandlers = HandlersOf<typeof toolRequests>;

export interface ToolNotices {
  readonly toolsChanged: ToolsView;
}
