import { describe, expect, it } from 'vitest';
import { type KeyOwner, keyPatch, otherOwners } from '../../../../renderer/keys/key-owners.ts';
import { isWindowKey, type SignedStroke } from '../../../../renderer/keys/window-keys.ts';
import { changeSettings } from '../../../../shared/settings/read-settings.ts';
import { defaultSettings } from '../../../../shared/settings/settings.ts';

const { talking, keys } = defaultSettings;

const stroke = (code: string, held: Partial<SignedStroke> = {}): SignedStroke => ({
  code,
  key: code.replace(/^Key/, '').toLowerCase(),
  ctrlKey: false,
  altKey: false,
  shiftKey: false,
  metaKey: false,
  ...held,
});

const set = { talking, keys: { ...keys, pause: 'F6', cough: 'Shift+F2' } };

describe('a key that has something to do already', () => {
  it.each<[KeyOwner, SignedStroke, readonly KeyOwner[]]>([
    ['pause', stroke('Space'), ['talk']],
    ['talk', stroke('F6'), ['pause']],
    ['talk', stroke('KeyK', { ctrlKey: true }), ['palette']],
    // Where a keyboard has the letter elsewhere, it is the letter that counts.
    ['talk', stroke('KeyV', { key: 'k', ctrlKey: true }), ['palette']],
    ['mute', stroke('KeyI', { metaKey: true }), ['inspector']],
    ['end', stroke('Slash', { key: '?', shiftKey: true }), ['shortcuts']],
    ['end', stroke('F1', { key: 'F1' }), ['shortcuts']],
    ['end', stroke('Space', { ctrlKey: true, altKey: true }), ['global']],
    // Shift alone makes no other key.
    ['end', stroke('F2'), ['cough']],
    ['end', stroke('Space', { shiftKey: true }), ['talk']],
    ['end', stroke('F9'), []],
    // Its own again, or the talk key in both places.
    ['pause', stroke('F6'), []],
    ['global', stroke('Space'), []],
    ['talk', stroke('Space', { ctrlKey: true, altKey: true }), []],
  ])('for %s, %o is that of %j', (owner, pressed, others) => {
    expect(otherOwners(set, owner, pressed)).toEqual(others);
  });

  it('is taken from there, and what lost it has none', () => {
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
    expect(keyPatch('talk', 'F6', ['pause', 'global'])).toEqual({
      talking: { globalKey: 'none', key: 'F6' },
      keys: { pause: 'none' },
    });
  });
});

describe('a key of the window', () => {
  it('goes by its sign at first, and by its place once it is set', () => {
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
