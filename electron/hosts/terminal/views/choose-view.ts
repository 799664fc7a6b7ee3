import type { Terminal } from '../terminal-command.ts';
import { createJsonView } from './json-view.ts';
import { createLiveChatView, createLiveTalkView } from './live-view.ts';
import { createPlainChatView, createPlainTalkView } from './plain-view.ts';
import type { TerminalView } from './terminal-view.ts';

/** JSON where it is asked for, a living line on a screen, plain text in a pipe. */
export function chooseView(kind: 'chat' | 'talk', terminal: Terminal, json: boolean): TerminalView {
  if (json) return createJsonView(terminal);
  const { screen } = terminal;
  if (kind === 'chat') {
    return screen === undefined
      ? createPlainChatView(terminal)
      : createLiveChatView(terminal, screen);
  }
  return screen === undefined
    ? createPlainTalkView(terminal)
    : createLiveTalkView(terminal, screen);
}
