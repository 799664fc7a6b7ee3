import type { Terminal } from '../terminal-command.ts';

interface CtrlCActions {
  readonly end: () => void;
  readonly terminate: () => void;
}

/**
 * The first Ctrl-C ends the session as the protocol wants it; the second terminates the connection,
 * because whoever presses it again does not want to wait.
 */
export function onCtrlC(
  terminal: Terminal,
  { end, terminate }: CtrlCActions,
): (() => void) | undefined {
  let pressed = 0;
  return terminal.onInterrupt?.(() => {
    pressed += 1;
    if (pressed === 1) {
      terminal.err('Ending the session; Ctrl-C again cuts it.\n');
      end();
    } else terminate();
  });
}
