import { chmodSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { posix, resolve, win32 } from 'node:path';

/** The folder of everything that Parley itself stores. Electron keeps the windows' local storage elsewhere. */
export function stateFolder(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
  home: string = homedir(),
): string {
  const explicit = env['PARLEY_STATE_DIR'] ?? '';
  if (explicit !== '') return explicit;
  if (platform === 'win32') {
    const localAppData = env['LOCALAPPDATA'] ?? '';
    return win32.join(
      localAppData === '' ? win32.join(home, 'AppData', 'Local') : localAppData,
      'Parley',
    );
  }
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', 'Parley');
  // The XDG specification says to ignore a relative path.
  const state = env['XDG_STATE_HOME'] ?? '';
  return posix.join(posix.isAbsolute(state) ? state : posix.join(home, '.local/state'), 'parley');
}

const groupAndOthers = 0o077;
const sticky = 0o1000;

/** Makes an existing folder private, except shared folders, those of other accounts, and the home folder. */
export function tightenFolder(path: string): void {
  try {
    const facts = statSync(path);
    const isOwn = facts.uid === process.getuid?.() && facts.isDirectory();
    if (!isOwn || (facts.mode & sticky) !== 0 || resolve(path) === homedir()) return;
    if ((facts.mode & groupAndOthers) !== 0) chmodSync(path, facts.mode & 0o700);
  } catch {
    // The folder does not exist yet. Parley will create it private.
  }
}
