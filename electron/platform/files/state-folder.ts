import { chmodSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { posix, resolve, win32 } from 'node:path';

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

const others = 0o077;
const sticky = 0o1000;

/**
 * Takes from all other accounts the right to look into a folder that is there: it may have been made by hand, or by a
 * version that asked for less. One that is shared on purpose, somebody else's, or the home itself stays as it is.
 */
export function tightenFolder(path: string): void {
  try {
    const facts = statSync(path);
    const ours = facts.uid === process.getuid?.() && facts.isDirectory();
    if (!ours || (facts.mode & sticky) !== 0 || resolve(path) === homedir()) return;
    if ((facts.mode & others) !== 0) chmodSync(path, facts.mode & 0o700);
  } catch {
    // Not there yet: it is made for this account only.
  }
}
