import type { Outcome } from '../../../shared/errors/app-error.ts';
import { sanitizeLine } from '../../../shared/text.ts';
import type { FoundServerFile } from '../../../shared/tools/tools-view.ts';
import { describePlace } from '../../../shared/tools/stored-tools.ts';
import { isSameJson } from '../../../shared/protocol/json.ts';
import { type NewToolServer, readServerEntries } from './parse-server-file.ts';
import type { ToolServers } from './tool-servers.ts';

interface Deps {
  readonly files: () => readonly KnownServerFile[];
  /** Undefined if there is no such file. */
  readonly read: (path: string) => Promise<Outcome<string | undefined>>;
  readonly servers: Pick<ToolServers, 'has' | 'addAll'>;
}

/** Finds tool servers in the files of other programs, and remembers them until the user adds some. */
export class FoundServers {
  readonly #deps: Deps;
  /** Servers with their secret values, which pages do not get. */
  #found: ReadonlyMap<string, NewToolServer> = new Map();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Reads the well-known files. Files without servers are left out; unreadable ones have their reason. */
  readonly find = async (): Promise<readonly FoundServerFile[]> => {
    const found = new Map<string, NewToolServer>();
    const shown: FoundServerFile[] = [];
    for (const { program, path } of this.#deps.files()) {
      const text = await this.#deps.read(path);
      if (text.ok && text.value === undefined) continue;
      const entries = text.ok ? readServerEntries(text.value ?? '') : text;
      const file = { program, path: sanitizeLine(path, 400) };
      if (!entries.ok) shown.push({ ...file, servers: [], problem: entries.error });
      else if (entries.value.length > 0)
        shown.push({
          ...file,
          servers: entries.value.map(({ name, server }, at) => {
            const id = `${program} ${at}`;
            if (!server.ok) return { id, name, place: '', variables: [], problem: server.error };
            if ([...found.values()].every((other) => !isSameJson(other, server.value)))
              found.set(id, server.value);
            return {
              id,
              name,
              // Whole, because in a browser the user allows the server by this text.
              place: describePlace(server.value),
              variables: Object.keys(server.value.values).map((each) => sanitizeLine(each, 60)),
              isKnown: this.#deps.servers.has(server.value) || !found.has(id),
            };
          }),
        });
    }
    this.#found = found;
    return shown;
  };

  /** Adds the servers with these ids, after asking the user about each. Their tools are off at first. */
  readonly add = async (ids: readonly string[]): Promise<Outcome<undefined>> => {
    const chosen = ids.flatMap((id) => this.#found.get(id) ?? []);
    const added = await this.#deps.servers.addAll(chosen);
    if (added.ok) this.#found = new Map();
    return added;
  };
}

/** A file in which another program keeps its tool servers. */
export interface KnownServerFile {
  readonly program: string;
  readonly path: string;
}

interface SystemPaths {
  readonly platform: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Each path is relative to the user's home folder or to the system's folder for settings. */
const files: readonly (readonly [program: string, root: 'home' | 'settings', path: string])[] = [
  ['Claude Desktop', 'settings', 'Claude/claude_desktop_config.json'],
  ['Claude Code', 'home', '.claude.json'],
  ['Cursor', 'home', '.cursor/mcp.json'],
  ['VS Code', 'settings', 'Code/User/mcp.json'],
  ['Windsurf', 'home', '.codeium/windsurf/mcp_config.json'],
  ['Gemini CLI', 'home', '.gemini/settings.json'],
  ['LM Studio', 'home', '.lmstudio/mcp.json'],
];
/** Zed uses the folder of Linux on macOS, too. */
const zed = { win32: ['settings', 'Zed'], other: ['home', '.config/zed'] } as const;

/** The paths on this system, even if the files do not exist. */
export function knownServerFiles({
  platform,
  home,
  environment,
}: SystemPaths): readonly KnownServerFile[] {
  const separator = platform === 'win32' ? '\\' : '/';
  const settings = {
    win32: environment['APPDATA'] ?? `${home}\\AppData\\Roaming`,
    darwin: `${home}/Library/Application Support`,
    linux: environment['XDG_CONFIG_HOME'] ?? `${home}/.config`,
  };
  const roots = {
    home,
    settings: platform === 'win32' || platform === 'darwin' ? settings[platform] : settings.linux,
  };
  const [zedRoot, zedFolder] = platform === 'win32' ? zed.win32 : zed.other;
  return [...files, ['Zed', zedRoot, `${zedFolder}/settings.json`] as const].map(
    ([program, root, path]) => ({
      program,
      path: [roots[root], ...path.split('/')].join(separator),
    }),
  );
}
