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
