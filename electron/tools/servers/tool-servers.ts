import { done, failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { Clock, Random } from '../../../shared/ports/clock.ts';
import { isSameJson, parseJsonObject } from '../../../shared/protocol/json.ts';
import { makeRandomId } from '../../../shared/random-id.ts';
import {
  describePlace,
  maxToolServers,
  type ServerTool,
  type ToolServer,
  type ToolServerView,
} from '../../../shared/tools/tool-server.ts';
import type { Tool } from '../tool.ts';
import type { ToolStore } from '../tool-store.ts';
import { type NewToolServer, readServerFile, type ServerValues } from './read-server-file.ts';
import type { ConnectServer, ListedTool } from './server-connection.ts';
import { isSameTool, ServerLink } from './server-link.ts';

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
  /** Asks the user, in a dialog outside of the page, whether to run this program or use this address. */
  readonly confirm: (place: string) => Promise<boolean>;
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

  /** Adds the servers of a text in the format of other assistants, after asking the user about each. */
  readonly add = async (text: string): Promise<Outcome<undefined>> => {
    const read = readServerFile(text);
    return read.ok ? this.addAll(read.value) : read;
  };

  readonly addAll = async (servers: readonly NewToolServer[]): Promise<Outcome<undefined>> => {
    const count = this.#deps.store.servers.length + servers.length;
    if (count > maxToolServers) return failure('toolServersMany', { most: maxToolServers });
    for (const server of servers) {
      const added = await this.#addOne(server);
      if (!added.ok) return added;
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

  /** Ends all servers. */
  async end(): Promise<void> {
    await Promise.all([...this.#links.values()].map((link) => link.end()));
  }

  async #addOne({ name, place, values }: NewToolServer): Promise<Outcome<undefined>> {
    const { store, random, confirm, values: valueStore } = this.#deps;
    const names = Object.keys(values);
    const described = describePlace({ place });
    if (!(await confirm(names.length === 0 ? described : `${described} (${names.join(', ')})`)))
      return failure('toolServerDenied', { name });
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
      description,
      schema,
      isRisky,
      run: (args, control) => this.#link(server).call(tool, args, control),
    };
  }
}

const valueId = (id: string): string => `tool-server-${id}`;

function mergeTools(known: readonly ServerTool[], listed: readonly ListedTool[]): ServerTool[] {
  return listed.map((tool) => {
    const before = known.find(({ name }) => name === tool.name);
    return { ...tool, isOn: before !== undefined && before.isOn && isSameTool(before, tool) };
  });
}
