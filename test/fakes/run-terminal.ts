import { runTerminal } from '../../electron/hosts/terminal/run-terminal.ts';
import type { InstalledPackage } from '../../shared/updates/update-feed.ts';

/** Runs a `parley` command in this process; what it writes comes back with its exit code. */
export function parley(...args: readonly string[]) {
  return parleyOf(undefined, ...args);
}

/** The same, as a command of an installed package. */
export async function parleyOf(
  ownPackage: InstalledPackage | undefined,
  ...args: readonly string[]
) {
  const written = { out: '', err: '' };
  const code = await runTerminal(args, {
    ownPackage,
    out: (text) => {
      written.out += text;
    },
    err: (text) => {
      written.err += text;
    },
  });
  return { code, ...written };
}
