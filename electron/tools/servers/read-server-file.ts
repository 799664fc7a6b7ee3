import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { isJsonObject, isSimpleJson, parseJsonObject } from '../../../shared/protocol/json.ts';
import { sanitizeLine } from '../../../shared/sanitize-text.ts';
import { maxToolServers, type ToolServer, toolServer } from '../../../shared/tools/tool-server.ts';

/** Environment variables of a program, or headers of an address. They may be secret. */
export type ServerValues = Readonly<Record<string, string>>;

export interface NewToolServer extends Pick<ToolServer, 'name' | 'place'> {
  readonly values: ServerValues;
}

/**
 * Reads servers in the form that other assistants use: `{"mcpServers": {"NAME": {"command": …}}}`, with `args`, `env`
 * and `cwd`, or `url` and `headers`. A file with one server that cannot be used is refused as a whole.
 */
export function readServerFile(text: string): Outcome<readonly NewToolServer[]> {
  const file = isSimpleJson(text) ? parseJsonObject(text) : undefined;
  const listed = file?.['mcpServers'] ?? file?.['servers'];
  if (!isJsonObject(listed)) return failure('toolServersUnread');
  const entries = Object.entries(listed);
  if (entries.length === 0) return failure('toolServersUnread');
  if (entries.length > maxToolServers) return failure('toolServersMany', { most: maxToolServers });
  const servers: NewToolServer[] = [];
  for (const [written, value] of entries) {
    const name = sanitizeLine(written, 60);
    const server = readServer(name, value);
    if (!server.ok) return server;
    servers.push(server.value);
  }
  return { ok: true, value: servers };
}

function readServer(name: string, value: unknown): Outcome<NewToolServer> {
  if (!isJsonObject(value)) return failure('toolServerUnread', { name });
  const { command, args = [], cwd, url, env = {}, headers = {} } = value;
  const place =
    url === undefined
      ? { kind: 'program', command, args, ...(cwd !== undefined && { cwd }) }
      : { kind: 'address', url };
  const checked = toolServer.pick({ name: true, place: true }).safeParse({ name, place });
  const values = url === undefined ? env : headers;
  if (!checked.success || !isTextTable(values)) return failure('toolServerUnread', { name });
  if (checked.data.place.kind === 'address' && !isSafeAddress(checked.data.place.url))
    return failure('toolServerAddress', { name });
  return { ok: true, value: { ...checked.data, values } };
}

function isTextTable(value: unknown): value is ServerValues {
  return isJsonObject(value) && Object.values(value).every((each) => typeof each === 'string');
}

/** Others on the network can read and change plain http. Names and passwords belong into headers. */
function isSafeAddress(url: string): boolean {
  const parts =
    /^(?<scheme>https?):\/\/(?<host>\[[^\]]*\]|[^/:?#@\s]+)(?::\d+)?(?:[/?#]\S*)?$/iu.exec(
      url,
    )?.groups;
  if (parts === undefined) return false;
  const host = (parts['host'] ?? '').toLowerCase();
  if (parts['scheme']?.toLowerCase() === 'https') return true;
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/u.test(host);
}
