import { expect, it } from 'vitest';
import { pasteMethodOf, terminalText } from '../../../../electron/cursor/paste-key.ts';

it('pastes with the key of the program', () => {
  expect(pasteMethodOf('l3afpad').chord).toBe('Control+KeyV');
  expect(pasteMethodOf('')).toMatchObject({ chord: 'Control+KeyV', isTerminal: false });
  for (const terminal of ['gnome-terminal-server', 'konsole', 'alacritty', 'kitty'])
    expect(pasteMethodOf(terminal)).toMatchObject({
      chord: 'Control+Shift+KeyV',
      isTerminal: true,
    });
  expect(pasteMethodOf('xterm')).toEqual({
    chord: 'Shift+Insert',
    fromSelection: true,
    isTerminal: true,
  });
});

it('makes one line of a text for a terminal, so that no command runs', () => {
  expect(terminalText(' one \r\n\n two\nthree\n')).toBe('one two three');
});
