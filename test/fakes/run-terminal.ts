import { runTerminal } from '../../electron/hosts/terminal/run-terminal.ts';

/** Runs a `parley` command in this process; what it writes comes back with its exit code. */
export async function parley(...args: readonly string[]) {
  const written = { out: '', err: '' };
  const code = await runTerminal(args, {
    out: (text) => {
      written.out += text;
    },
    err: (text) => {
      written.err += text;
    },
  });
  return { code, ...written };
}
