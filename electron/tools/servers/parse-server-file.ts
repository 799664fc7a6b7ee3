import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { sanitizeLine } from '../../../shared/text.ts';
import { maxToolServers, toolServer, type ToolServer } from '../../../shared/tools/stored-tools.ts';
import {
  isJsonObject,
  isSimpleJson,
  type JsonObject,
  parseJsonObject,
} from '../../../shared/protocol/json.ts';

/** Environment variables of a program, or headers of an address. They may be secret. */
export type ServerValues = Readonly<Record<string, string>>;

export interface NewToolServer extends Pick<ToolServer, 'name' | 'place'> {
  readonly values: ServerValues;
}

/** A server that a file names, or why it cannot be used. */
export interface ServerEntry {
  readonly name: string;
  readonly server: Outcome<NewToolServer>;
}

/**
 * Parses servers in the form that other assistants use: `{"mcpServers": {"NAME": {"command": …}}}`, with `args`, `env`
 * and `cwd`, or `url` and `headers`. A file with one server that cannot be used is refused as a whole.
 */
export function parseServerFile(text: string): Outcome<readonly NewToolServer[]> {
  const entries = readServerEntries(text);
  if (!entries.ok) return entries;
  if (entries.value.length === 0) return failure('toolServersUnread');
  const servers: NewToolServer[] = [];
  for (const { server } of entries.value) {
    if (!server.ok) return server;
    servers.push(server.value);
  }
  return { ok: true, value: servers };
}

/** Reads each server of a file. Returns none for a settings file without a list of servers. */
export function readServerEntries(text: string): Outcome<readonly ServerEntry[]> {
  const plain = stripJsonComments(text);
  const file = isSimpleJson(plain) ? parseJsonObject(plain) : undefined;
  if (file === undefined) return failure('toolServersUnread');
  // VS Code and Zed have names of their own for the list.
  const serverTable = file['mcpServers'] ?? file['servers'] ?? file['context_servers'] ?? {};
  if (!isJsonObject(serverTable)) return failure('toolServersUnread');
  const entries = Object.entries(serverTable);
  if (entries.length > maxToolServers) return failure('toolServersMany', { most: maxToolServers });
  const value = entries.map(([written, entry]) => {
    const name = sanitizeLine(written, 60);
    return { name, server: readServer(name, entry) };
  });
  return { ok: true, value };
}

function readServer(name: string, value: unknown): Outcome<NewToolServer> {
  if (!isJsonObject(value)) return failure('toolServerUnread', { name });
  // Older files of Zed put the parts of a program into `command`.
  const { command: written } = value;
  const program: JsonObject = isJsonObject(written)
    ? { ...written, command: written['path'] ?? '' }
    : value;
  const { command, args, cwd, env } = program;
  // Gemini CLI and Windsurf have names of their own for the address.
  const url = value['httpUrl'] ?? value['serverUrl'] ?? value['url'];
  const place =
    url === undefined
      ? { kind: 'program', command, args: args ?? [], cwd: cwd ?? undefined }
      : { kind: 'address', url };
  const checked = toolServer.pick({ name: true, place: true }).safeParse({ name, place });
  const values = (url === undefined ? env : value['headers']) ?? {};
  if (!checked.success || !isTextTable(values)) return failure('toolServerUnread', { name });
  if (JSON.stringify([place, values]).includes('${'))
    return failure('toolServerPlaceholder', { name });
  if (checked.data.place.kind === 'address' && !isSafeAddress(checked.data.place.url))
    return failure('toolServerAddress', { name });
  return { ok: true, value: { ...checked.data, values } };
}

function isTextTable(value: unknown): value is ServerValues {
  return isJsonObject(value) && Object.values(value).every((each) => typeof each === 'string');
}

/** Refuses a login in the address. Refuses plain http except on this computer, because others can read and change it. */
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

/** Removes all comments, and every comma before a closing bracket. Editors allow both in their settings. Takes one pass. */
export function stripJsonComments(text: string): string {
  const pieces: string[] = [];
  /** Index in `pieces` of the last comma, while only space follows it. */
  let commaIndex: number | undefined;
  let at = 0;
  while (at < text.length) {
    const end = commentEnd(text, at);
    if (end !== undefined) {
      at = end;
      continue;
    }
    const character = text.charAt(at);
    const next = character === '"' ? stringEnd(text, at) : at + 1;
    if ((character === '}' || character === ']') && commaIndex !== undefined)
      pieces[commaIndex] = '';
    if (character === ',') commaIndex = pieces.length;
    else if (!/\s/u.test(character)) commaIndex = undefined;
    pieces.push(text.slice(at, next));
    at = next;
  }
  return pieces.join('');
}

/** The end of the comment that begins at `at`; undefined if none begins there. */
function commentEnd(text: string, at: number): number | undefined {
  if (text.startsWith('//', at)) return indexOrEnd(text, '\n', at);
  if (!text.startsWith('/*', at)) return undefined;
  return Math.min(text.length, indexOrEnd(text, '*/', at + 2) + 2);
}

function indexOrEnd(text: string, what: string, from: number): number {
  const place = text.indexOf(what, from);
  return place === -1 ? text.length : place;
}

function stringEnd(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return Math.min(text.length, at + 1);
}
