import { describe, expect, it } from 'vitest';
import { builtInActions } from '../../../../shared/cursor/cursor-action.ts';
import { appError, type Failure, failure } from '../../../../shared/errors/app-error.ts';
import { describeAppError } from '../../../../shared/i18n/en/errors.ts';
import { startsMuted } from '../../../../shared/settings/app-settings.ts';
import {
  spokenVoice,
  isDeviceNamed,
  isSameDevice,
  soundChoiceName,
} from '../../../../shared/settings/audio-settings.ts';
import {
  computerProfile,
  embeddedProfile,
} from '../../../../shared/settings/connection-settings.ts';
import {
  changeSettings,
  readInitialSettings,
  readSettings,
  storedSettingsFallback,
  writeSettings,
} from '../../../../shared/settings/read-settings.ts';
import {
  redactSettings,
  defaultSettings,
  type Settings,
  type SettingsGroup,
} from '../../../../shared/settings/settings.ts';
import { FakeStateFile } from '../../../fakes/fake-state-file.ts';

/** A server with every field set. */
const profile = {
  id: 'home',
  name: 'Home',
  kind: 'local',
  url: 'https://gateway.lan:8006',
  dialect: 'auto',
  headers: { 'X-Team': 'blue' },
  query: { model: 'o' },
  hasToken: true,
} as const;

const settingsWithServer: Settings = {
  ...defaultSettings,
  endpoints: { chosen: 'home', list: [embeddedProfile, profile, computerProfile] },
};

function change(settings: Settings, patch: unknown): Settings {
  const changed = changeSettings(settings, patch);
  if (!changed.ok) throw new Error(changed.error.code);
  return changed.value;
}

describe('stored settings', () => {
  it('round-trip, including a server with every field', () => {
    expect(readSettings(JSON.parse(writeSettings(settingsWithServer)))).toEqual({
      settings: settingsWithServer,
    });
    expect(readSettings({})).toEqual({ settings: storedSettingsFallback });
  });

  it('lose only their invalid fields, and report the place of each without its value', () => {
    const { settings, error } = readSettings({
      version: 1,
      audio: { playbackVolume: 7, inputVolume: 0.5, microphone: { name: 'Headset', port: 3 } },
      captions: 'huge',
      talking: { mode: 'shout', key: 'KeyT', overlap: { enabled: false, shortMs: 'secret-value' } },
      assistant: { generation: { temperature: 0.1, topK: 1.5, dance: true } },
      privacy: { days: 'forever' },
      weather: 'fine',
    });
    expect(settings).toEqual({
      ...storedSettingsFallback,
      audio: { ...defaultSettings.audio, inputVolume: 0.5, microphone: { name: 'Headset' } },
      talking: {
        ...defaultSettings.talking,
        key: 'KeyT',
        overlap: { enabled: false, shortMs: 700 },
      },
      assistant: {
        ...defaultSettings.assistant,
        generation: { ...defaultSettings.assistant.generation, temperature: 0.1 },
      },
      privacy: {
        ...defaultSettings.privacy,
        days: 'forever',
        talkDays: 'forever',
        tapeDays: 'forever',
      },
    });
    expect(error && describeAppError(error)).toContain(
      'audio.playbackVolume must be a number from 0 to 1',
    );
    expect(error && describeAppError(error)).toContain(
      'assistant.generation.topK must be a whole number from 1 to 1000',
    );
    expect(error && describeAppError(error)).toContain('; and 2 more)');
    expect(error && describeAppError(error)).not.toContain('secret-value');
    const places =
      'weather, assistant.generation.dance, assistant.generation.topK, audio.playbackVolume, talking.mode, …';
    expect(error).toMatchObject({ code: 'settingsPartly', facts: { places } });
  });

  it.each([null, 7, 'text', [], [1]])('are the defaults if the file contains %j', (value) => {
    const { settings, error } = readSettings(value);
    expect(settings).toEqual(storedSettingsFallback);
    expect(error).toEqual(appError('settingsUnread'));
  });

  it.each([
    ['the whole file is damaged', undefined],
    ['their own field is damaged', { firstRun: { done: 'maybe' } }],
    ['their own field is missing', { captions: { size: 40 } }],
  ])('skip the first-run steps if %s', (_, value) => {
    expect(readSettings(value).settings.firstRun.done).toBe(true);
    expect(readSettings({ firstRun: { done: false } }).settings.firstRun.done).toBe(false);
  });

  it('ignore inherited properties of objects', () => {
    const { settings, error } = readSettings(
      JSON.parse('{"__proto__":{"captions":{"size":40}},"audio":{"__proto__":{"inputVolume":0}}}'),
    );
    expect(settings).toEqual(storedSettingsFallback);
    expect(error && describeAppError(error)).toContain('__proto__ is no setting');
  });

  it('are read as far as known if their version is newer, with a note', () => {
    const { settings, error } = readSettings({ version: 9, captions: { size: 40 } });
    expect(settings.captions.size).toBe(40);
    expect(error).toEqual(appError('settingsNewer'));
  });

  it.each([1, 1.5, undefined, 0, '2'])(
    'copy the single retention period of version %j',
    (version) => {
      const { privacy } = readSettings({ version, privacy: { days: 7 } }).settings;
      expect([privacy.days, privacy.talkDays, privacy.tapeDays]).toEqual([7, 7, 7]);
      const kept = readSettings({ version: 2, privacy: { days: 7 } }).settings.privacy;
      expect([kept.days, kept.talkDays, kept.tapeDays]).toEqual([7, 30, 30]);
    },
  );

  it.each([1, 2])('silently lose the tape sound format of version %i', (version) => {
    const read = readSettings({ version, privacy: { tapeSound: 'flac', keepTapes: true } });
    const { privacy } = storedSettingsFallback;
    expect(read).toEqual({
      settings: { ...storedSettingsFallback, privacy: { ...privacy, keepTapes: true } },
    });
  });

  it('pass every migration from an older version', () => {
    const steps = [
      (old: object) => ({ ...old, captions: { size: 30 } }),
      (old: object) => ({ ...old, appearance: { theme: 'dark' } }),
    ];
    const read = (version: number) => readSettings({ version }, steps).settings;
    expect([read(1).captions.size, read(1).appearance.theme]).toEqual([30, 'dark']);
    expect([read(2).captions.size, read(2).appearance.theme]).toEqual([28, 'dark']);
    expect([read(3).captions.size, read(3).appearance.theme]).toEqual([28, 'system']);
  });
});

describe('stored servers', () => {
  const read = (endpoints: unknown) => readSettings({ endpoints });

  it('always begin with the unchanged demonstration', () => {
    const { settings } = read({ list: [profile, { id: 'embedded', name: 'x', url: 'ws://evil' }] });
    expect(settings.endpoints.list).toEqual([embeddedProfile, profile, computerProfile]);
    expect(settings.endpoints.chosen).toBe('embedded');
  });

  it.each([
    ['no address', { ...profile, url: '' }, 'an id and an address'],
    ['no id', { ...profile, id: undefined }, 'an id and an address'],
    ['an invalid address', { ...profile, url: 'nowhere' }, 'has no scheme'],
    ['an invalid id', { ...profile, id: '../x' }, 'small letters'],
    [
      'a token among the headers',
      { ...profile, headers: { authorization: 'Bearer tok-1' } },
      'enter the access token',
    ],
    ['an invalid fingerprint', { ...profile, fingerprint: 'abc' }, '64 hexadecimal digits'],
    ['an invalid header', { ...profile, headers: { 'a b': 'tok-1' } }, 'is written as'],
    ['the same id twice', [profile, profile], 'endpoints.list.3 has the id of another server'],
  ])('are dropped individually if one has %s', (_what, wrong, problem) => {
    const good = { ...profile, id: 'good' };
    const found = read({ list: [good, ...[wrong].flat()] });
    expect(found.settings.endpoints.list.map(({ id }) => id).slice(0, 2)).toEqual([
      'embedded',
      'good',
    ]);
    expect(found.settings.endpoints.list.length).toBeLessThanOrEqual(4);
    expect(found.error && describeAppError(found.error)).toContain(problem);
    expect(found.error && describeAppError(found.error)).not.toContain('tok-1');
  });

  it('lose an invalid optional field', () => {
    const { settings, error } = read({
      list: [{ ...profile, url: ` ${profile.url} `, dialect: 'klingon', name: 3 }],
    });
    expect(settings.endpoints.list[1]).toEqual({ ...profile, name: profile.url });
    expect(error && describeAppError(error)).toContain(
      'endpoints.list.1.dialect must be one of auto, unified, legacy',
    );
  });

  it('fall back to the demonstration if the chosen server is missing', () => {
    expect(read({ chosen: 'gone', list: [] }).settings.endpoints.chosen).toBe('embedded');
  });
});

const initialSettings = (text?: string, readFailure?: Failure) => {
  const file = new FakeStateFile(
    text === undefined ? undefined : new Map([['settings.json', text]]),
  );
  file.readFailure = readFailure;
  return readInitialSettings(file);
};

it('initial settings can be read before the core starts, without secrets', () => {
  const stored = { ...defaultSettings, firstRun: { done: true } };
  expect(initialSettings(writeSettings(stored))).toEqual(redactSettings(stored));
  expect(initialSettings()).toEqual(redactSettings(defaultSettings));
});

it('an existing settings file skips the first-run steps, even if unreadable', () => {
  expect(initialSettings('{ "appearance": {').firstRun.done).toBe(true);
  expect(initialSettings('').firstRun.done).toBe(true);
  const unreadable = failure('noPermission', { path: 'settings.json' });
  expect(initialSettings(undefined, unreadable).firstRun.done).toBe(true);
});

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

  it.each([undefined, null, 3, []])('is refused if it is malformed (%#)', (patch) => {
    const detail = 'must be a group of settings';
    expect(changeSettings(defaultSettings, patch)).toEqual(
      failure('settingNotAllowed', { place: '' }, { detail }),
    );
  });

  it('is refused with the error of an invalid address', () => {
    const list = [{ ...profile, url: 'nowhere' }];
    expect(changeSettings(defaultSettings, { endpoints: { list } })).toMatchObject({
      error: { code: 'noScheme', facts: { address: 'nowhere' } },
    });
  });

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

  it('stay with the server through other changes', () => {
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

  it('are kept for a new address if a new fingerprint comes with it', () => {
    const other = fingerprint.replaceAll('AB', 'CD');
    expect(moved({ url: 'https://new.lan', fingerprint: other })?.fingerprint).toBe(other);
  });

  it('cannot be set by a patch', () => {
    const list = [{ ...profile, id: 'fresh', hasToken: true }];
    expect(home(change(defaultSettings, { endpoints: { list } }))?.hasToken).toBe(false);
  });

  it.each([
    ['https://a.lan:443', 'wss://a.lan/v1'],
    ['ws://a.lan:80', 'http://a.lan'],
  ])('are kept if only the default port is added or dropped: %s becomes %s', (url, other) => {
    const list = [{ ...profile, url, hasToken: true }];
    const read = readSettings({ endpoints: { list } }).settings;
    expect(
      home(change(read, { endpoints: { list: [{ ...list[0], url: other }] } }))?.hasToken,
    ).toBe(true);
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

it('the small window keeps edited and user-made actions in their order', () => {
  const shorten = { ...builtInActions[2], name: 'Brief', prompt: '' };
  const changed = changeCursor({ actions: [own, shorten] });
  expect(changed.ok && changed.value.cursor.actions).toEqual([own, shorten]);
});

it.each([
  ['an own action without a prompt', [{ ...own, prompt: ' ' }], 'actions.1 must be an action'],
  ['an unknown icon', [{ ...own, icon: 'skull' }], 'actions.1 must be an action'],
  ['a key that is not a chord', [{ ...own, key: 'Ctrl + ?' }], 'actions.1 must be an action'],
  [
    'a prompt that is too long',
    [{ ...own, prompt: 'a'.repeat(4001) }],
    'actions.1 must be an action',
  ],
  ['one id twice', [own, own], 'actions.2 has the id of another action'],
])('the small window refuses %s', (_case, actions, detail) => {
  expect(changeCursor({ actions })).toMatchObject({ error: { detail: `cursor.${detail}` } });
});

const text = (length: number): string => 'x'.repeat(length);

function many<Item>(length: number, item: (n: number) => Item): readonly Item[] {
  return Array.from({ length }, (_, n) => item(n));
}

const numbered = (n: number) => ({ ...own, id: `own-${n}` });
const servers = (length: number) => many(length, (n) => ({ ...profile, id: `server-${n}` }));

/** Values up to the limits of each setting, and values beyond. */
it.each<[group: SettingsGroup, name: string, accepted: readonly unknown[], refused: unknown[]]>([
  [
    'audio',
    'microphone',
    ['default', { name: text(300), hostApi: text(300) }],
    [7, { name: '' }, { name: [7] }, { name: text(301) }, { name: 'a', hostApi: text(301) }],
  ],
  ['captions', 'size', [14, 96], [13, 97, 14.5, '20']],
  ['vision', 'camera', ['', text(300)], [text(301), { length: 3 }]],
  ['cursor', 'firstLanguage', ['a', text(40)], ['', text(41)]],
  ['cursor', 'askKey', ['none', 'Alt+KeyD'], ['Alt+', ['KeyD']]],
  [
    'cursor',
    'dictation',
    [{ words: many(200, () => text(60)) }],
    [[' '], [7], [{ length: 1 }], [text(61)], many(201, String), text(3)].map((words) => ({
      words,
    })),
  ],
  ['cursor', 'actions', [[], many(20, numbered)], [many(21, numbered), 'star']],
  ['endpoints', 'list', [servers(50)], [servers(51), 'home']],
  ['proxy', 'address', ['', 'http://proxy:1'], [7, 'proxy', 'http://ann:hush@proxy:1']],
  ['privacy', 'days', [1, 'forever'], [0, 'never']],
  ['memory', 'use', [true, false], ['yes', 1]],
  ['assistant', 'withoutMemory', [[], ['coach', 'own']], ['coach', { length: 0 }, ['clown']]],
])('the setting %s.%s has limits', (group, name, accepted, refused) => {
  for (const value of accepted)
    expect(changeSettings(defaultSettings, { [group]: { [name]: value } }).ok).toBe(true);
  for (const value of refused)
    expect(changeSettings(defaultSettings, { [group]: { [name]: value } })).toMatchObject({
      ok: false,
      error: { facts: { place: expect.stringContaining(`${group}.${name}`) as string } },
    });
});

it('answers use the voice for speech if one is chosen, or else the voice to imitate', () => {
  expect(spokenVoice({ model: 'anna', speech: 'none' })).toBe('anna');
  expect(spokenVoice({ model: 'anna', speech: 'bert' })).toBe('bert');
  expect(spokenVoice({ model: 'none', speech: 'none' })).toBe('none');
});

it.each([
  ['default', 'default', true],
  ['default', { name: 'a' }, false],
  [{ name: 'a' }, { name: 'a' }, true],
  [{ name: 'a' }, { name: 'b' }, false],
  [{ name: 'a', hostApi: 'MME' }, { name: 'a', hostApi: 'ASIO' }, false],
] as const)('whether %j and %j are the same device: %s', (one, other, is) => {
  expect(isSameDevice(one, other)).toBe(is);
});

it('a device is shown with its host API if others have its name', () => {
  const [one, other] = [{ name: 'a', hostApi: 'MME' }, { name: 'b' }];
  const shown = (...listed: { readonly name: string }[]) =>
    ['default' as const, one, other].map((choice) => soundChoiceName(choice, listed));
  expect(shown(one, other)).toEqual(['default', 'a', 'b']);
  expect(shown(one, one, other, other)).toEqual(['default', 'a (MME)', 'b']);
});

it('a talk starts muted only with an open microphone', () => {
  expect(startsMuted({ mode: 'open', startMuted: true })).toBe(true);
  expect(startsMuted({ mode: 'hold', startMuted: true })).toBe(false);
  expect(startsMuted({ mode: 'open', startMuted: false })).toBe(false);
});

it('isDeviceNamed matches a device by its name, and by its host API if names are shared', () => {
  const device = { name: 'me@home', hostApi: 'WASAPI' };
  const meant = ['me@home', 'me@home@WASAPI', 'me@home@MME', 'me', 'WASAPI', ''];
  expect(meant.filter((name) => isDeviceNamed(device, name))).toEqual([
    'me@home',
    'me@home@WASAPI',
  ]);
});
