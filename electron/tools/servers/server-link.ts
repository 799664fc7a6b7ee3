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
  readonly onChanged: () => void;
}

/** An unused server is closed after this long, because its program takes memory. */
const idleMs = 5 * 60_000;

interface OpenServer {
  readonly connection: ServerConnection;
  tools: readonly ListedTool[];
  /** The server has reported that its list of tools changed. */
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

  /** Calls a tool, but only if the server describes it exactly as when the user switched it on. */
  call(tool: ServerTool, args: JsonObject, control: CallControl): Promise<Outcome<ToolAnswer>> {
    return this.#use(async ({ connection, tools }) => {
      const current = tools.find(({ name }) => name === tool.name);
      const { name } = this.#deps.server;
      if (current === undefined) return failure('toolGone', { tool: tool.name, name });
      if (!isSameTool(current, tool)) return failure('toolChanged', { tool: tool.name, name });
      return connection.call(tool.name, args, control);
    });
  }

  /** Ends the connection. */
  async close(): Promise<void> {
    this.#idle.stop();
    const open = this.#open;
    this.#open = undefined;
    if (open !== undefined) {
      this.#deps.onChanged();
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
      this.#deps.onChanged();
    });
    this.#deps.onChanged();
    return this.#opening;
  }

  async #start(): Promise<Outcome<OpenServer>> {
    const { connect, server, values } = this.#deps;
    const found = await values();
    if (!found.ok) return this.#fail(found);
    // `open` is set once the connection is complete; `ended` if the server ends before or after that.
    const life: { open?: OpenServer; ended?: AppError } = {};
    const connected = await connect(server, found.value, {
      onClosed: (error) => {
        life.ended = error;
        if (life.open !== undefined) this.#handleClosed(life.open, error);
      },
      onToolsChanged: () => {
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

  #handleClosed(open: OpenServer, error: AppError): void {
    if (this.#open !== open) return;
    this.#open = undefined;
    this.#error = error;
    this.#deps.onChanged();
  }

  #fail<Failed extends { readonly ok: false; readonly error: AppError }>(failed: Failed): Failed {
    this.#error = failed.error;
    return failed;
  }
}

/** Whether a tool is unchanged. A changed description can hide an instruction, and a changed schema can ask for more data. */
export function isSameTool(one: ListedTool, other: ListedTool): boolean {
  return (
    one.description === other.description &&
    one.isRisky === other.isRisky &&
    isSameJson(one.schema, other.schema)
  );
}
