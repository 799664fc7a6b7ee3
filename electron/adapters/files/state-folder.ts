import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';

/** Where Parley keeps what it needs again: settings, tokens, voices, and what it notices by itself. */
export function stateFolder(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
  home: string = homedir(),
): string {
  const chosen = env['PARLEY_STATE_DIR'] ?? '';
  if (chosen !== '') return chosen;
  if (platform === 'win32') {
    const local = env['LOCALAPPDATA'] ?? '';
    return win32.join(local === '' ? win32.join(home, 'AppData', 'Local') : local, 'Parley');
  }
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', 'Parley');
  // The XDG rules: a path that is not absolute is to be ignored.
  const state = env['XDG_STATE_HOME'] ?? '';
  return posix.join(posix.isAbsolute(state) ? state : posix.join(home, '.local/state'), 'parley');
}
