import { runTerminal } from '../../electron/hosts/terminal/run-terminal.ts';

/** A terminal without a screen, which collects what a command writes. `interrupt` presses Ctrl-C. */
export function fakeTerminal() {
  const written = { out: '', err: '' };
  const interruptListeners = new Set<() => void>();
  return {
    written,
    interruptListeners,
    interrupt: () => {
      for (const listener of interruptListeners) listener();
    },
    terminal: {
      out: (text: string) => void (written.out += text),
      err: (text: string) => void (written.err += text),
      onInterrupt: (listener: () => void) => {
        interruptListeners.add(listener);
        return () => interruptListeners.delete(listener);
      },
    },
  };
}

/** Runs a `parley` command in this process, and returns its output and exit code. */
export async function parley(...args: readonly string[]) {
  const written = { out: '', err: '' };
  const code = await runTerminal(args, {
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
  });
  return { code, ...written };
}
