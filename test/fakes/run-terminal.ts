import { runTerminal } from '../../electron/hosts/terminal/run-terminal.ts';

/** Runs a `parley` command in this process, and returns its output and exit code. */
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
