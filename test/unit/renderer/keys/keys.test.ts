import { describe, expect, it } from 'vitest';
import { judgeKey } from '../../../../renderer/keys/judge-key.ts';
import {
  isPressed,
  isReleased,
  parseChord,
  writeChord,
} from '../../../../renderer/keys/key-chord.ts';
import type { KeyStroke } from '../../../../renderer/keys/key-chord.ts';
import { keyName } from '../../../../renderer/keys/key-name.ts';
import { chinese } from '../../../../renderer/words/chinese.ts';
import { english } from '../../../../renderer/words/english.ts';
import { talkingRules } from '../../../../shared/settings/groups.ts';

const stroke = (code: string, held: Partial<KeyStroke> = {}): KeyStroke => ({
  code,
  ctrlKey: false,
  altKey: false,
  shiftKey: false,
  metaKey: false,
  ...held,
});

describe('a key', () => {
  it.each([
    [stroke('Space'), 'Space'],
    [stroke('KeyT', { ctrlKey: true, shiftKey: true }), 'Control+Shift+KeyT'],
    // A modifier does not go with itself.
    [stroke('ControlRight', { ctrlKey: true }), 'ControlRight'],
  ])('is written as the settings take it, and read again', (pressed, text) => {
    expect(writeChord(pressed)).toBe(text);
    expect(isPressed(parseChord(text), pressed)).toBe(true);
    let problem = '';
    talkingRules.key.read(text, 'Space', '', (_place, must) => (problem = must));
    expect(problem).toBe('');
  });

  it('is another one with other modifiers, Shift aside', () => {
    const space = parseChord('Space');
    expect(isPressed(space, stroke('Space', { shiftKey: true }))).toBe(true);
    expect(isPressed(space, stroke('Space', { ctrlKey: true }))).toBe(false);
    expect(isPressed(parseChord('Shift+F2'), stroke('F2'))).toBe(false);
  });

  it('comes up with either of its parts', () => {
    const chord = parseChord('Control+KeyT');
    const up = ['KeyT', 'ControlLeft', 'ControlRight', 'KeyA', 'ShiftLeft'];
    expect(up.filter((code) => isReleased(chord, code))).toEqual(up.slice(0, 3));
  });

  it.each([
    ['', {}, 'empty'],
    ['Escape', {}, 'interrupts'],
    ['Tab', {}, 'moves'],
    ['Enter', {}, 'presses'],
    ['KeyK', { ctrlKey: true }, 'palette'],
    ['KeyI', { metaKey: true }, 'inspector'],
    ['MetaLeft', { metaKey: true }, 'system'],
    ['KeyW', { ctrlKey: true }, 'system'],
    ['F4', { altKey: true }, 'system'],
    ['KeyW', {}, undefined],
    ['Space', {}, undefined],
    ['ControlRight', { ctrlKey: true }, undefined],
  ] as const)('%s with %o is judged', (code, held, fault) => {
    expect(judgeKey(stroke(code, held))).toBe(fault);
  });

  it('is called as people call it', () => {
    const called = (text: string) => keyName(text, english.keys);
    expect(
      ['Space', 'Control+KeyT', 'Digit1', 'ControlRight', 'Numpad0', 'F9'].map(called),
    ).toEqual(['Space', 'Ctrl + T', '1', 'right Ctrl', '0 on the number pad', 'F9']);
    expect(keyName('ControlRight', chinese.keys)).toBe('右 Ctrl 键');
  });
});
