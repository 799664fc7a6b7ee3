import { describe, expect, it } from 'vitest';
import {
  type KeyOwner,
  keyPatch,
  conflictingOwners,
} from '../../../../renderer/keys/key-owners.ts';
import { isWindowKey, type PrintedStroke } from '../../../../renderer/keys/window-keys.ts';
import { changeSettings } from '../../../../shared/settings/read-settings.ts';
import { defaultSettings } from '../../../../shared/settings/settings.ts';

const { talking, keys, cursor } = defaultSettings;

const stroke = (code: string, held: Partial<PrintedStroke> = {}): PrintedStroke => ({
  code,
  key: code.replace(/^Key/, '').toLowerCase(),
  ctrlKey: false,
  altKey: false,
  shiftKey: false,
  metaKey: false,
  ...held,
});

const set = { talking, cursor, keys: { ...keys, pause: 'F6', cough: 'Shift+F2' } };

describe('a key that is already assigned', () => {
  it.each<[KeyOwner, PrintedStroke, readonly KeyOwner[]]>([
    ['pause', stroke('Space'), ['talk']],
    ['talk', stroke('F6'), ['pause']],
    ['talk', stroke('KeyK', { ctrlKey: true }), ['palette']],
    // Default keys match the typed letter in any layout.
    ['talk', stroke('KeyV', { key: 'k', ctrlKey: true }), ['palette']],
    ['mute', stroke('KeyI', { metaKey: true }), ['inspector']],
    ['end', stroke('Slash', { key: '?', shiftKey: true }), ['shortcuts']],
    ['end', stroke('F1', { key: 'F1' }), ['shortcuts']],
    ['end', stroke('KeyV', { ctrlKey: true, altKey: true }), ['global']],
    ['end', stroke('Space', { ctrlKey: true, altKey: true }), ['askKey']],
    ['global', stroke('KeyD', { ctrlKey: true, altKey: true }), ['dictateKey']],
    ['lookKey', stroke('F6'), ['pause']],
    // Shift does not distinguish keys.
    ['end', stroke('F2'), ['cough']],
    ['end', stroke('Space', { shiftKey: true }), ['talk']],
    ['end', stroke('F9'), []],
    // The same function, or talk key and global key.
    ['pause', stroke('F6'), []],
    ['global', stroke('Space'), []],
    ['talk', stroke('KeyV', { ctrlKey: true, altKey: true }), []],
  ])('conflicts for %s, %o with %j', (owner, pressed, others) => {
    expect(conflictingOwners(set, owner, pressed)).toEqual(others);
  });

  it('is removed from its other functions', () => {
    const taken = keyPatch('mute', 'Space', ['talk']);
    const changed = changeSettings(defaultSettings, taken);
    expect(changed).toMatchObject({
      ok: true,
      value: {
        talking: { key: 'none', mode: 'open' },
        keys: { mute: 'Space', palette: 'default' },
      },
    });
    expect(keyPatch('global', 'F8')).toEqual({ talking: { globalKey: 'F8' } });
    expect(keyPatch('askKey', 'F8', ['dictateKey'])).toEqual({
      cursor: { dictateKey: 'none', askKey: 'F8' },
    });
    expect(keyPatch('talk', 'F6', ['pause', 'global'])).toEqual({
      talking: { globalKey: 'none', key: 'F6' },
      keys: { pause: 'none' },
    });
  });
});

describe('a window key', () => {
  it('matches by typed character as a default, and by position once configured', () => {
    const dvorak = stroke('KeyV', { key: 'k', ctrlKey: true });
    expect(isWindowKey(keys, 'palette', dvorak)).toBe(true);
    expect(isWindowKey({ ...keys, palette: 'Control+KeyK' }, 'palette', dvorak)).toBe(false);
    const k = stroke('KeyK', { ctrlKey: true });
    expect(isWindowKey({ ...keys, palette: 'Control+KeyK' }, 'palette', k)).toBe(true);
    for (const held of [{ altKey: true }, { shiftKey: true }])
      expect(isWindowKey(keys, 'palette', { ...k, ...held })).toBe(false);
    expect(isWindowKey({ ...keys, palette: 'none' }, 'palette', k)).toBe(false);
  });
});
