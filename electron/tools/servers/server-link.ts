import { type AppError, failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { type Clock, Timer } from '../../../shared/ports/clock.ts';
import type { JsonObject } from '../../../shared/protocol/json.ts';
import { isSameJson } from '../../../shared/protocol/json.ts';
import type { ServerTool, ToolServer, ToolServerView } from '../../../shared/tools/tool-server.ts';
import type { CallControl, ToolAnswer } from '../tool.ts';
import type { ServerValues } from './read-server-file.ts';
import type { ConnectServer, ListedTool, ServerConnection } from './server-connection.ts';

interface Deps {
  readonly clock: Clock;
  readonly connect: ConnectServer;
  readonly server: Pick<ToolServer, 'name' | 'place'>;
  readonly values: () => Promise<Outcome<ServerValues>>;
  readonly changed: () => void;
}

/** A program that nobody uses takes memory. */
const idleMs = 5 * 60_000;

interface OpenServer {
  readonly connection: ServerConnection;
  tools: readonly ListedTool[];
  /** The server said that its list changed. */
  isOutdated: boolean;
}

/** The connection to one server: opened with the first use, closed after five idle minutes. */
export class ServerLink {
  readonly #deps: Deps;
  readonly #idle: Timer;
  #opening: Promise<Outcome<OpenServer>> | undefined;
  #open: OpenServer | undefined;
  #error: AppError | undefined;
  #calls = 0;
  #hasEnded = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#idle = new Timer(deps.clock);
  }

  get state(): Pick<ToolServerView, 'state' | 'error'> {
    const state = this.#open ? 'running' : this.#opening ? 'starting' : 'idle';
    return { state, error: this.#error };
  }

  /** The tools that the server has now. */
  listTools(): Promise<Outcome<readonly ListedTool[]>> {
    return this.#use(async (open) => ({ ok: true, value: open.tools }));
  }

  /** Calls a tool if the server still describes it as when the user switched it on. */
  call(tool: ServerTool, args: JsonObject, control: CallControl): Promise<Outcome<ToolAnswer>> {
    return this.#use(async ({ connection, tools }) => {
      const now = tools.find(({ name }) => name === tool.name);
      const { name } = this.#deps.server;
      if (now === undefined) return failure('toolGone', { tool: tool.name, name });
      if (!isSameTool(now, tool)) return failure('toolChanged', { tool: tool.name, name });
      return connection.call(tool.name, args, control);
    });
  }

  /** Ends the connection. */
  async close(): Promise<void> {
    this.#idle.stop();
    const open = this.#open;
    this.#open = undefined;
    if (open !== undefined) {
      this.#deps.changed();
      await open.connection.close();
    }
  }

  /** Ends the connection for good. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    await this.#opening;
    await this.close();
  }

  async #use<Value>(act: (open: OpenServer) => Promise<Outcome<Value>>): Promise<Outcome<Value>> {
    this.#idle.stop();
    this.#calls += 1;
    try {
      const open = await this.#ready();
      return open.ok ? await act(open.value) : open;
    } finally {
      this.#calls -= 1;
      if (this.#calls === 0) this.#idle.set(idleMs, () => void this.close());
    }
  }

  async #ready(): Promise<Outcome<OpenServer>> {
    const open = this.#open;
    if (open?.isOutdated === true) {
      const listed = await open.connection.listTools();
      if (!listed.ok) return listed;
      open.tools = listed.value;
      open.isOutdated = false;
    }
    if (open !== undefined) return { ok: true, value: open };
    this.#opening ??= this.#start().finally(() => {
      this.#opening = undefined;
      this.#deps.changed();
    });
    this.#deps.changed();
    return this.#opening;
  }

  async #start(): Promise<Outcome<OpenServer>> {
    const { connect, server, values } = this.#deps;
    const found = await values();
    if (!found.ok) return this.#fail(found);
    // Set after the connection is made, but the server can end before.
    const life: { open?: OpenServer; ended?: AppError } = {};
    const connected = await connect(server, found.value, {
      closed: (error) => {
        life.ended = error;
        if (life.open !== undefined) this.#lost(life.open, error);
      },
      toolsChanged: () => {
        if (life.open !== undefined) life.open.isOutdated = true;
      },
    });
    if (!connected.ok) return this.#fail(connected);
    const connection = connected.value;
    const listed = await connection.listTools();
    if (!listed.ok || this.#hasEnded || life.ended !== undefined) {
      await connection.close();
      if (life.ended !== undefined) return this.#fail({ ok: false, error: life.ended });
      return listed.ok ? failure('toolServerStopped', { name: server.name }) : this.#fail(listed);
    }
    life.open = { connection, tools: listed.value, isOutdated: false };
    this.#open = life.open;
    this.#error = undefined;
    return { ok: true, value: life.open };
  }

  #lost(open: OpenServer, error: AppError): void {
    if (this.#open !== open) return;
    this.#open = undefined;
    this.#error = error;
    this.#deps.changed();
  }

  #fail<Failed extends { readonly ok: false; readonly error: AppError }>(failed: Failed): Failed {
    this.#error = failed.error;
    return failed;
  }
}

/** A changed description can hide an instruction, and a changed schema asks for more. */
export function isSameTool(one: ListedTool, other: ListedTool): boolean {
  return (
    one.description === other.description &&
    one.isRisky === other.isRisky &&
    isSameJson(one.schema, other.schema)
  );
}
