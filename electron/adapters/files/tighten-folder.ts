import { chmodSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';

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
