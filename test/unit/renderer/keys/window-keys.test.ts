import { expect, it } from 'vitest';
import { isWindowKey, type PrintedStroke } from '../../../../renderer/keys/window-keys.ts';
import { defaultSettings } from '../../../../shared/settings/settings.ts';

const { keys } = defaultSettings;

const stroke = (code: string, held: Partial<PrintedStroke> = {}): PrintedStroke => ({
  code,
  key: code.replace(/^Key/, '').toLowerCase(),
  ctrlKey: false,
  altKey: false,
  shiftKey: false,
  metaKey: false,
  ...held,
});

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
