import { expect, test } from 'vitest';
import { builtInActions } from '../../../../shared/cursor/cursor-action.ts';
import { changeSettings } from '../../../../shared/settings/read-settings.ts';
import { defaultSettings } from '../../../../shared/settings/settings.ts';

const own = {
  id: 'haiku',
  name: 'As a haiku',
  icon: 'star',
  prompt: 'Write a haiku.',
  key: 'F7',
  inPlace: true,
};

function change(cursor: unknown) {
  return changeSettings(defaultSettings, { cursor });
}

test('the small window is off by default, and its default keys differ from each other and from the talk key', () => {
  expect(defaultSettings.cursor.enabled).toBe(false);
  const { askKey, dictateKey } = defaultSettings.cursor;
  expect(new Set([askKey, dictateKey, defaultSettings.talking.globalKey]).size).toBe(3);
});

test('the small window keeps edited and own actions in their order', () => {
  const shorten = { ...builtInActions[2], name: 'Brief', prompt: '' };
  const changed = change({ actions: [own, shorten] });
  expect(changed.ok && changed.value.cursor.actions).toEqual([own, shorten]);
});

test.each([
  ['an own action without a prompt', [{ ...own, prompt: ' ' }]],
  ['an unknown icon', [{ ...own, icon: 'skull' }]],
  ['a key that is not a chord', [{ ...own, key: 'Ctrl + ?' }]],
  ['one id twice', [own, own]],
  ['a prompt that is too long', [{ ...own, prompt: 'a'.repeat(4001) }]],
])('the small window refuses %s', (_case, actions) => {
  expect(change({ actions }).ok).toBe(false);
});

test('the small window refuses a blank word in the user’s dictionary', () => {
  expect(change({ dictation: { words: ['Parley', ' '] } }).ok).toBe(false);
  expect(change({ dictation: { words: ['Parley'] } }).ok).toBe(true);
});
