import type { Terminal } from '../terminal-command.ts';

interface CtrlCActions {
  readonly end: () => void;
  readonly cut: () => void;
}

/**
 * The first Ctrl-C ends politely; the second cuts the line, because whoever presses it again does not
 * want to wait.
 */
export function onCtrlC(terminal: Terminal, { end, cut }: CtrlCActions): (() => void) | undefined {
  let told = 0;
  return terminal.onInterrupt?.(() => {
    told += 1;
    if (told === 1) {
      terminal.err('Ending the session; Ctrl-C again cuts it.\n');
      end();
    } else cut();
  });
}
