import { expect, it } from 'vitest';
import { pasteMethodOf, terminalText } from '../../../../electron/cursor/paste-key.ts';

it('pasteMethodOf names the key that pastes in each program', () => {
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

it('terminalText makes a text one line, so that no command runs', () => {
  expect(terminalText(' one \r\n\n two\nthree\n')).toBe('one two three');
});
