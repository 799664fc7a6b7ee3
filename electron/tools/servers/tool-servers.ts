import { type AppError, done, failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { type Clock, type Random, Timer, makeRandomId } from '../../../shared/ports/clock.ts';
import { isSameJson, type JsonObject, parseJsonObject } from '../../../shared/protocol/json.ts';
import {
  describePlace,
  maxToolServers,
  type ServerTool,
  type ToolServer,
  type ToolServerView,
} from '../../../shared/tools/stored-tools.ts';
import type { ToolStore } from '../tool-store.ts';
import type { CallControl, Tool, ToolAnswer } from '../tool.ts';
import { type NewToolServer, parseServerFile, type ServerValues } from './parse-server-file.ts';

/** Stores the values of environments and headers. */
interface ValueStore {
  readonly get: (id: string) => Promise<Outcome<string | undefined>>;
  readonly set: (id: string, secret: string) => Promise<Outcome<undefined>>;
  readonly delete: (id: string) => Promise<Outcome<undefined>>;
}

interface Deps {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Pick<ToolStore, 'servers' | 'setServers'>;
  readonly values: ValueStore;
  readonly connect: ConnectServer;
  /** Asks the user, in one dialog outside of the page, whether to run these programs or use these addresses. */
  readonly confirm: (places: readonly string[]) => Promise<boolean>;
  readonly onChanged: () => void;
}

/** The servers of tools that the user added, with their connections. */
export class ToolServers {
  readonly #deps: Deps;
  readonly #links = new Map<string, ServerLink>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The tools that are switched on. */
  tools(): readonly Tool[] {
    return this.#deps.store.servers.flatMap((server) =>
      server.tools.filter(({ isOn }) => isOn).map((tool) => this.#toTool(server, tool)),
    );
  }

  view(): readonly ToolServerView[] {
    return this.#deps.store.servers.map((server) => ({
      id: server.id,
      name: server.name,
      place: describePlace(server),
      ...(this.#links.get(server.id)?.state ?? { state: 'idle' as const }),
      tools: server.tools.map(({ schema: _schema, ...shown }) => shown),
    }));
  }

  /** Adds the servers of a text in the format of other assistants, after asking the user. */
  readonly add = async (text: string): Promise<Outcome<undefined>> => {
    const read = parseServerFile(text);
    return read.ok ? this.addAll(read.value) : read;
  };

  /**
   * Asks about as many at once as a dialog can show. Stops at the first answer of no; those allowed before it stay, and
   * are left out if the user adds the same text again.
   */
  readonly addAll = async (given: readonly NewToolServer[]): Promise<Outcome<undefined>> => {
    const { store, confirm } = this.#deps;
    const servers: NewToolServer[] = [];
    for (const server of given) if (!(await this.#hasSame(server))) servers.push(server);
    if (store.servers.length + servers.length > maxToolServers)
      return failure('toolServersMany', { most: maxToolServers });
    const groups = groupForDialogs(servers);
    if (!groups.ok) return groups;
    for (const group of groups.value) {
      if (!(await confirm(group.map(({ asked }) => asked)))) {
        const name = group.map(({ server }) => server.name).join(', ');
        return failure('toolServerDenied', { name });
      }
      for (const { server } of group) {
        const added = await this.#addOne(server);
        if (!added.ok) return added;
      }
    }
    return done;
  };

  /** Whether a server at the same place was added. */
  has({ place }: Pick<NewToolServer, 'place'>): boolean {
    return this.#deps.store.servers.some((server) => isSameJson(server.place, place));
  }

  /** Starts the server and stores its list of tools. New and changed tools are off. */
  readonly look = async (id: string): Promise<Outcome<undefined>> => {
    const server = this.#find(id);
    if (server === undefined) return failure('toolServerGone');
    const listed = await this.#link(server).listTools();
    if (!listed.ok) return listed;
    return this.#change(id, ({ tools }) => ({ tools: mergeTools(tools, listed.value) }));
  };

  readonly switchTool = (id: string, name: string, isOn: boolean): Promise<Outcome<undefined>> =>
    this.#change(id, ({ tools }) => ({
      tools: tools.map((tool) => (tool.name === name ? { ...tool, isOn } : tool)),
    }));

  readonly remove = async (id: string): Promise<Outcome<undefined>> => {
    const { store, values } = this.#deps;
    const link = this.#links.get(id);
    this.#links.delete(id);
    const removed = await store.setServers(store.servers.filter((server) => server.id !== id));
    const forgotten = await values.delete(valueId(id));
    await link?.end();
    return removed.ok ? forgotten : removed;
  };

  async end(): Promise<void> {
    await Promise.all([...this.#links.values()].map((link) => link.end()));
  }

  /** Whether a server at this place with these values was added. */
  async #hasSame({ place, values }: NewToolServer): Promise<boolean> {
    const { store, values: valueStore } = this.#deps;
    for (const server of store.servers) {
      if (!isSameJson(server.place, place)) continue;
      const stored = await valueStore.get(valueId(server.id));
      if (stored.ok && stored.value === JSON.stringify(values)) return true;
    }
    return false;
  }

  async #addOne({ name, place, values }: NewToolServer): Promise<Outcome<undefined>> {
    const { store, random, values: valueStore } = this.#deps;
    const id = makeRandomId(random);
    const stored = await valueStore.set(valueId(id), JSON.stringify(values));
    if (!stored.ok) return stored;
    const takenNames = new Set(store.servers.map((server) => server.name));
    let unique = name;
    for (let count = 2; takenNames.has(unique); count += 1) unique = `${name} ${count}`;
    return store.setServers([...store.servers, { id, name: unique, place, tools: [] }]);
  }

  #find(id: string): ToolServer | undefined {
    return this.#deps.store.servers.find((server) => server.id === id);
  }

  #change(
    id: string,
    edit: (server: ToolServer) => Partial<ToolServer>,
  ): Promise<Outcome<undefined>> {
    const { store } = this.#deps;
    const before = this.#find(id);
    if (before === undefined) return Promise.resolve(failure('toolServerGone'));
    const after = { ...before, ...edit(before) };
    return store.setServers(store.servers.map((server) => (server === before ? after : server)));
  }

  #link(server: ToolServer): ServerLink {
    const known = this.#links.get(server.id);
    if (known !== undefined) return known;
    const { clock, connect, onChanged } = this.#deps;
    const values = () => this.#readValues(server.id);
    const link = new ServerLink({ clock, connect, server, values, onChanged });
    this.#links.set(server.id, link);
    return link;
  }

  async #readValues(id: string): Promise<Outcome<ServerValues>> {
    const stored = await this.#deps.values.get(valueId(id));
    if (!stored.ok) return stored;
    const values = parseJsonObject(stored.value ?? '{}') ?? {};
    const texts = Object.entries(values).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    return { ok: true, value: Object.fromEntries(texts) };
  }

  #toTool(server: ToolServer, tool: ServerTool): Tool {
    const { name, description, schema, isRisky } = tool;
    return {
      name,
      server: server.name,
      serverId: server.id,
      description,
      schema,
      isRisky,
      run: (args, control) => this.#link(server).call(tool, args, control),
    };
  }
}

/** The characters that fit into the system's dialog. The user could not see the rest, so nobody could allow it. */
const maxAsked = 1000;

interface AskedServer {
  readonly server: NewToolServer;
  /** The text of the dialog. */
  readonly asked: string;
}

/** Joins servers as long as a dialog shows them in full. Fails if one alone is too long. */
function groupForDialogs(
  servers: readonly NewToolServer[],
): Outcome<readonly (readonly AskedServer[])[]> {
  const groups: AskedServer[][] = [];
  let shown = Infinity;
  for (const server of servers) {
    const { name, place, values } = server;
    const asked = describePlace({ place }, Object.keys(values));
    if (asked.length > maxAsked)
      return failure(place.kind === 'program' ? 'toolServerLong' : 'toolServerUrlLong', { name });
    if (shown + asked.length > maxAsked) {
      groups.push([]);
      shown = 0;
    }
    groups.at(-1)?.push({ server, asked });
    shown += asked.length;
  }
  return { ok: true, value: groups };
}

const valueId = (id: string): string => `tool-server-${id}`;

function mergeTools(known: readonly ServerTool[], listed: readonly ListedTool[]): ServerTool[] {
  return listed.map((tool) => {
    const before = known.find(({ name }) => name === tool.name);
    return { ...tool, isOn: before !== undefined && before.isOn && isSameTool(before, tool) };
  });
}

interface LinkDeps {
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
  readonly #deps: LinkDeps;
  readonly #idle: Timer;
  #opening: Promise<Outcome<OpenServer>> | undefined;
  #open: OpenServer | undefined;
  #error: AppError | undefined;
  #calls = 0;
  #hasEnded = false;

  constructor(deps: LinkDeps) {
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
    let isStopped = false;
    control.onStop(() => {
      isStopped = true;
    });
    return this.#use(async ({ connection, tools }) => {
      const current = tools.find(({ name }) => name === tool.name);
      const { name } = this.#deps.server;
      // The start of the server can take a minute.
      if (isStopped) return failure('toolServerStopped', { name });
      if (current === undefined) return failure('toolGone', { tool: tool.name, name });
      if (!isSameTool(current, tool)) return failure('toolChanged', { tool: tool.name, name });
      return connection.call(tool.name, args, control);
    });
  }

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
function isSameTool(one: ListedTool, other: ListedTool): boolean {
  return (
    one.description === other.description &&
    one.isRisky === other.isRisky &&
    isSameJson(one.schema, other.schema)
  );
}

/** A running server of the Model Context Protocol. */
export interface ServerConnection {
  readonly listTools: () => Promise<Outcome<readonly ListedTool[]>>;
  readonly call: (
    name: string,
    args: JsonObject,
    control: CallControl,
  ) => Promise<Outcome<ToolAnswer>>;
  /** Ends the connection. If the server is a program, resolves when the program has ended. */
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
