import { describe, expect, it } from 'vitest';
import {
  globalKeyFault,
  keyFault,
  isWindowKey,
  keyName,
  type PrintedStroke,
} from '../../../../renderer/keys/window-keys.ts';
import { englishKeys } from '../../../../shared/i18n/en/shell.ts';
import { chineseKeys } from '../../../../shared/i18n/zh/shell.ts';
import { chordRule } from '../../../../shared/settings/app-settings.ts';
import { defaultSettings } from '../../../../shared/settings/settings.ts';
import {
  formatChord,
  isChordPressed,
  isChordReleased,
  parseChord,
} from '../../../../shared/talk/global-key.ts';

const stroke = (code: string, held: Partial<PrintedStroke> = {}): PrintedStroke => ({
  code,
  key: code.replace(/^Key/, '').toLowerCase(),
  ctrlKey: false,
  altKey: false,
  shiftKey: false,
  metaKey: false,
  ...held,
});

const { keys } = defaultSettings;

it('a window key matches by typed character as a default, and by position once configured', () => {
  const dvorak = stroke('KeyV', { key: 'k', ctrlKey: true });
  expect(isWindowKey(keys, 'palette', dvorak)).toBe(true);
  expect(isWindowKey({ ...keys, palette: 'Control+KeyK' }, 'palette', dvorak)).toBe(false);
  const k = stroke('KeyK', { ctrlKey: true });
  expect(isWindowKey({ ...keys, palette: 'Control+KeyK' }, 'palette', k)).toBe(true);
  for (const held of [{ altKey: true }, { shiftKey: true }])
    expect(isWindowKey(keys, 'palette', { ...k, ...held })).toBe(false);
  expect(isWindowKey({ ...keys, palette: 'none' }, 'palette', k)).toBe(false);
});

describe('a key', () => {
  it.each([
    [stroke('Space'), 'Space'],
    [stroke('KeyT', { ctrlKey: true, shiftKey: true }), 'Control+Shift+KeyT'],
    // A modifier alone has no modifiers.
    [stroke('ControlRight', { ctrlKey: true }), 'ControlRight'],
  ])('round-trips through the form of the settings', (pressed, text) => {
    expect(formatChord(pressed)).toBe(text);
    expect(isChordPressed(parseChord(text), pressed)).toBe(true);
    let problem = '';
    chordRule.read(text, 'Space', '', (_place, must) => (problem = must));
    expect(problem).toBe('');
  });

  it('must match its modifiers; an extra Shift is ignored', () => {
    const space = parseChord('Space');
    expect(isChordPressed(space, stroke('Space', { shiftKey: true }))).toBe(true);
    expect(isChordPressed(space, stroke('Space', { ctrlKey: true }))).toBe(false);
    expect(isChordPressed(parseChord('Shift+F2'), stroke('F2'))).toBe(false);
  });

  it('is released with any of its parts', () => {
    const chord = parseChord('Control+KeyT');
    const up = ['KeyT', 'ControlLeft', 'ControlRight', 'KeyA', 'ShiftLeft'];
    expect(up.filter((code) => isChordReleased(chord, code))).toEqual(up.slice(0, 3));
  });

  it.each([
    ['', {}, 'empty'],
    ['Tab', {}, 'navigation'],
    ['Enter', {}, 'activation'],
    ['KeyI', { metaKey: true }, 'system'],
    ['MetaLeft', { metaKey: true }, 'system'],
    ['KeyW', { ctrlKey: true }, 'system'],
    ['F4', { altKey: true }, 'system'],
    ['KeyW', {}, undefined],
    ['KeyK', { ctrlKey: true }, undefined],
    ['F1', {}, undefined],
    ['Space', {}, undefined],
    ['ControlRight', { ctrlKey: true }, undefined],
  ] as const)('%s with %o has the fault %s', (code, held, fault) => {
    expect(keyFault(stroke(code, held))).toBe(fault);
  });

  it.each([
    ['KeyA', {}, 'typing'],
    ['Space', { shiftKey: true }, 'typing'],
    ['ShiftLeft', { shiftKey: true }, 'typing'],
    ['Escape', {}, 'typing'],
    ['Tab', {}, 'navigation'],
    ['Space', { ctrlKey: true, altKey: true }, undefined],
    ['F8', {}, undefined],
    ['ControlRight', { ctrlKey: true }, undefined],
    ['Pause', {}, undefined],
  ] as const)('%s with %o has the fault %s as a global key', (code, held, fault) => {
    expect(globalKeyFault(stroke(code, held))).toBe(fault);
  });

  it('has a readable name', () => {
    const called = (text: string) => keyName(text, englishKeys);
    expect(
      ['Space', 'Control+KeyT', 'Digit1', 'ControlRight', 'Numpad0', 'F9'].map(called),
    ).toEqual(['Space', 'Ctrl + T', '1', 'right Ctrl', '0 on the number pad', 'F9']);
    expect(called('none')).toBe('no key');
    expect(keyName('ControlRight', chineseKeys)).toBe('右 Ctrl');
  });
});
