import { describe, expect, it } from 'vitest';
import { builtInActions } from '../../../../shared/cursor/cursor-action.ts';
import { failure } from '../../../../shared/errors/app-error.ts';
import {
  chatSettings,
  resolveUsualVoice,
  toStoredVoice,
} from '../../../../shared/settings/assistant-settings.ts';
import { spokenVoice } from '../../../../shared/settings/audio-settings.ts';
import { changeSettings, readSettings } from '../../../../shared/settings/read-settings.ts';
import { defaultSettings, type Settings } from '../../../../shared/settings/settings.ts';
import { change, profile, settingsWithServer } from './settings-with-server.ts';

describe('a settings change', () => {
  it('changes the named settings at any depth and keeps the rest', () => {
    const changed = change(settingsWithServer, {
      talking: { overlap: { shortMs: 400 } },
      assistant: { preset: 'own', generation: { topK: 5 } },
    });
    expect(changed.talking).toEqual({
      ...defaultSettings.talking,
      overlap: { enabled: true, shortMs: 400 },
    });
    expect(changed.assistant.generation).toEqual({
      ...defaultSettings.assistant.generation,
      topK: 5,
    });
    expect(changed.endpoints).toEqual(settingsWithServer.endpoints);
  });

  it('changes nothing if one value is invalid', () => {
    const patch = { captions: { size: 40 }, vision: { slices: 10 } };
    const detail = 'vision.slices must be a whole number from 1 to 9';
    expect(changeSettings(defaultSettings, patch)).toEqual(
      failure('settingNotAllowed', { place: 'vision.slices' }, { detail }),
    );
  });

  it.each([undefined, null, 3, [], { assistant: { instructions: 'x'.repeat(50_000) } }])(
    'is refused if it is malformed (%#)',
    (patch) => {
      expect(changeSettings(defaultSettings, patch).ok).toBe(false);
    },
  );

  it('cannot choose an unknown server', () => {
    expect(changeSettings(defaultSettings, { endpoints: { chosen: 'gone' } })).toEqual(
      failure('serverGone'),
    );
  });

  it('falls back to the demonstration if it removes the chosen server', () => {
    expect(change(settingsWithServer, { endpoints: { list: [] } }).endpoints).toEqual(
      defaultSettings.endpoints,
    );
  });
});

describe('a token and a trusted certificate', () => {
  const fingerprint = Array.from({ length: 32 }, () => 'AB').join(':');
  const trusting = change(settingsWithServer, {
    endpoints: { list: [{ ...profile, fingerprint }] },
  });
  const home = (settings: Settings) => settings.endpoints.list[1];
  const moved = (fields: object) =>
    home(change(trusting, { endpoints: { list: [{ ...home(trusting), ...fields }] } }));

  it('stay with the server for other changes', () => {
    const same = { url: 'wss://GATEWAY.lan:8006/other', name: 'New', hasToken: false };
    expect(moved(same)).toMatchObject({ hasToken: true, fingerprint });
  });

  it.each(['https://gateway.lan:8007', 'http://gateway.lan:8006', 'https://evil.lan:8006'])(
    'are dropped for %s',
    (url) => {
      const profileThere = moved(
        url.startsWith('http:') ? { url, fingerprint: undefined } : { url },
      );
      expect(profileThere).toMatchObject({ url, hasToken: false });
      expect(profileThere?.fingerprint).toBeUndefined();
    },
  );

  it('are kept for a new address with a new fingerprint', () => {
    const other = fingerprint.replaceAll('AB', 'CD');
    expect(moved({ url: 'https://new.lan', fingerprint: other })?.fingerprint).toBe(other);
  });

  it('cannot be set by a patch', () => {
    const list = [{ ...profile, id: 'fresh', hasToken: true }];
    expect(home(change(defaultSettings, { endpoints: { list } }))?.hasToken).toBe(false);
  });

  it('treat the default port as equal', () => {
    const list = [{ ...profile, url: 'https://a.lan:443', hasToken: true }];
    const read = readSettings({ endpoints: { list } }).settings;
    const [, same] = change(read, {
      endpoints: { list: [{ ...list[0], url: 'wss://a.lan/v1' }] },
    }).endpoints.list;
    expect(same?.hasToken).toBe(true);
  });
});

const own = {
  id: 'haiku',
  name: 'As a haiku',
  icon: 'star',
  prompt: 'Write a haiku.',
  key: 'F7',
  inPlace: true,
};

function changeCursor(cursor: unknown) {
  return changeSettings(defaultSettings, { cursor });
}

it('the small window is off by default, and its default keys differ from each other and from the talk key', () => {
  expect(defaultSettings.cursor.enabled).toBe(false);
  const { askKey, dictateKey } = defaultSettings.cursor;
  expect(new Set([askKey, dictateKey, defaultSettings.talking.globalKey]).size).toBe(3);
});

it('the small window keeps edited and own actions in their order', () => {
  const shorten = { ...builtInActions[2], name: 'Brief', prompt: '' };
  const changed = changeCursor({ actions: [own, shorten] });
  expect(changed.ok && changed.value.cursor.actions).toEqual([own, shorten]);
});

it.each([
  ['an own action without a prompt', [{ ...own, prompt: ' ' }]],
  ['an unknown icon', [{ ...own, icon: 'skull' }]],
  ['a key that is not a chord', [{ ...own, key: 'Ctrl + ?' }]],
  ['one id twice', [own, own]],
  ['a prompt that is too long', [{ ...own, prompt: 'a'.repeat(4001) }]],
])('the small window refuses %s', (_case, actions) => {
  expect(changeCursor({ actions }).ok).toBe(false);
});

it('the small window refuses a blank word in the user’s dictionary', () => {
  expect(changeCursor({ dictation: { words: ['Parley', ' '] } }).ok).toBe(false);
  expect(changeCursor({ dictation: { words: ['Parley'] } }).ok).toBe(true);
});

const chat = chatSettings.initial;

describe('the voice of chats', () => {
  it('is the voice of talks by default', () => {
    expect(resolveUsualVoice(chat, 'none').voice).toBe('none');
    expect(resolveUsualVoice(chat, 'anna')).toEqual({ ...chat, voice: 'anna' });
  });

  it('round-trips', () => {
    const options = { ...chat, voice: 'bert' };
    expect(resolveUsualVoice(toStoredVoice(options, 'anna'), 'anna')).toEqual(options);
  });

  it('is the voice that is really heard in talks', () => {
    expect(spokenVoice({ model: 'anna', speech: 'none' })).toBe('anna');
    expect(spokenVoice({ model: 'anna', speech: 'bert' })).toBe('bert');
    expect(spokenVoice({ model: 'none', speech: 'none' })).toBe('none');
  });

  it('follows the voice of talks while both are equal', () => {
    const kept = toStoredVoice({ ...chat, voice: 'anna' }, 'anna');
    expect(resolveUsualVoice(kept, 'bert').voice).toBe('bert');
  });
});
