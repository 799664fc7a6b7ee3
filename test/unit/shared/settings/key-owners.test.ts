import { stroke } from '../../../fakes/printed-stroke.ts';
import { describe, expect, it } from 'vitest';
import type { WindowKeyName } from '../../../../shared/settings/app-settings.ts';
import { isWindowKey, type PrintedStroke } from '../../../../renderer/keys/window-keys.ts';
import {
  conflictingOwners,
  type KeyOwner,
  keyPatch,
} from '../../../../shared/settings/key-owners.ts';
import { formatChord } from '../../../../shared/talk/global-key.ts';
import { changeSettings } from '../../../../shared/settings/read-settings.ts';
import { defaultSettings } from '../../../../shared/settings/settings.ts';

const { talking, keys, cursor } = defaultSettings;

const actions = cursor.actions.map((action) =>
  action.id === 'explain' ? { ...action, key: 'Control+F7' } : action,
);
const set = {
  talking,
  cursor: { ...cursor, actions },
  keys: { ...keys, pause: 'F6', cough: 'Shift+F2' },
};

describe('the owners that conflict with a new key', () => {
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
    // For keys in other programs, Shift does distinguish them.
    ['lookKey', stroke('Space', { ctrlKey: true, altKey: true, shiftKey: true }), []],
    ['lookKey', stroke('F7', { ctrlKey: true }), ['action-explain']],
    ['global', stroke('F7', { ctrlKey: true }), ['action-explain']],
    ['end', stroke('F7', { ctrlKey: true, shiftKey: true }), ['action-explain']],
    ['action-reply', stroke('F7', { ctrlKey: true }), ['action-explain']],
    ['action-reply', stroke('KeyV', { ctrlKey: true, altKey: true }), ['global']],
    ['action-reply', stroke('F6'), ['pause']],
    ['action-explain', stroke('F7', { ctrlKey: true }), []],
    ['end', stroke('F9'), []],
    // No conflict: a function's own key, or one key as the talk key and the global key.
    ['pause', stroke('F6'), []],
    ['global', stroke('Space'), []],
    ['talk', stroke('KeyV', { ctrlKey: true, altKey: true }), []],
  ])('are found for the owner %s and the key press %o: %j', (owner, pressed, others) => {
    const isDefault = (name: WindowKeyName): boolean => isWindowKey(set.keys, name, pressed);
    expect(conflictingOwners(set, owner, formatChord(pressed), isDefault)).toEqual(others);
  });
});

it.each<[WindowKeyName, string, readonly KeyOwner[]]>([
  ['mute', 'Control+Shift+KeyM', ['pause']],
  ['palette', 'Meta+KeyK', ['pause']],
  ['interrupt', 'Escape', ['pause']],
  ['shortcuts', 'F1', ['pause']],
  ['end', 'F1', []],
  ['mute', 'Control+Alt+KeyM', []],
])('the default key of %s conflicts with a function on %s: %j', (owner, pause, others) => {
  const configured = { talking, cursor, keys: { ...keys, [owner]: 'none', pause } };
  expect(conflictingOwners(configured, owner, 'default')).toEqual(others);
});

describe('a key that is already assigned', () => {
  it('is removed from an action', () => {
    const patch = keyPatch('askKey', 'Control+F7', ['action-explain'], actions);
    const changed = changeSettings({ ...defaultSettings, cursor: set.cursor }, patch);
    if (!changed.ok) throw new Error(changed.error.code);
    expect(changed.value.cursor).toEqual({ ...cursor, askKey: 'Control+F7' });
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
    expect(keyPatch('askKey', 'F8', ['dictateKey'], actions)).toEqual({
      cursor: { dictateKey: 'none', askKey: 'F8' },
    });
    expect(keyPatch('talk', 'F6', ['pause', 'global'])).toEqual({
      talking: { globalKey: 'none', key: 'F6' },
      keys: { pause: 'none' },
    });
  });
});

describe('the action of the dictation mode', () => {
  const own = { id: 'own-6', name: 'Poem', icon: 'star', prompt: 'A poem.', key: 'none' } as const;
  const actionsWith = (name: string) => [...cursor.actions, { ...own, name, inPlace: false }];
  const change = (settings: typeof defaultSettings, patch: unknown) => {
    const changed = changeSettings(settings, { cursor: patch });
    if (!changed.ok) throw new Error(changed.error.code);
    return changed.value;
  };

  it('is forgotten when the action is deleted, so that a new action with its id does not replace it', () => {
    const chosen = change(defaultSettings, {
      actions: actionsWith('Poem'),
      dictation: { mode: 'own-6' },
    });
    expect(chosen.cursor.dictation.mode).toBe('own-6');
    const deleted = change(chosen, { actions: cursor.actions });
    const added = change(deleted, { actions: actionsWith('Reply to this') });
    expect(added.cursor.dictation.mode).toBe('clean');
  });
});
