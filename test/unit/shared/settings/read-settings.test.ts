import { describe, expect, it } from 'vitest';
import { appError, type Failure, failure } from '../../../../shared/errors/app-error.ts';
import { describeAppError } from '../../../../shared/i18n/en/errors.ts';
import { computerProfile, embeddedProfile } from '../../../../shared/settings/endpoint-profile.ts';
import {
  readInitialSettings,
  readSettings,
  storedSettingsFallback,
  writeSettings,
} from '../../../../shared/settings/read-settings.ts';
import { redactSettings } from '../../../../shared/settings/redacted-settings.ts';
import { defaultSettings } from '../../../../shared/settings/settings.ts';
import { FakeStateFile } from '../../../fakes/fake-state-file.ts';
import { profile, settingsWithServer } from './settings-with-server.ts';

describe('stored settings', () => {
  it('round-trip, including a server with every field', () => {
    expect(readSettings(JSON.parse(writeSettings(settingsWithServer)))).toEqual({
      settings: settingsWithServer,
    });
    expect(readSettings({})).toEqual({ settings: storedSettingsFallback });
  });

  it('are valid by default', () => {
    expect(readSettings(JSON.parse(writeSettings(defaultSettings)))).toEqual({
      settings: defaultSettings,
    });
  });

  it('lose only an invalid field, and report its place without its value', () => {
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

  it('copy the single retention period to each kind', () => {
    const { privacy } = readSettings({ version: 1, privacy: { days: 7 } }).settings;
    expect([privacy.days, privacy.talkDays, privacy.tapeDays]).toEqual([7, 7, 7]);
    const kept = readSettings({ version: 2, privacy: { days: 7 } }).settings.privacy;
    expect([kept.days, kept.talkDays, kept.tapeDays]).toEqual([7, 30, 30]);
  });

  it.each([1, 2])('lose the tape sound format of version %i silently', (version) => {
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
    ['an invalid address', { ...profile, url: 'nowhere' }, 'has no scheme'],
    ['an invalid id', { ...profile, id: '../x' }, 'small letters'],
    [
      'a token among the headers',
      { ...profile, headers: { authorization: 'Bearer tok-1' } },
      'enter the access token',
    ],
    ['an invalid fingerprint', { ...profile, fingerprint: 'abc' }, '64 hexadecimal digits'],
    ['an invalid header', { ...profile, headers: { 'a b': 'tok-1' } }, 'is written as'],
    ['the same id twice', [profile, profile], 'the id of another server'],
  ])('are dropped one by one if one has %s', (_what, wrong, problem) => {
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
    const { settings, error } = read({ list: [{ ...profile, dialect: 'klingon', name: 3 }] });
    expect(settings.endpoints.list[1]).toEqual({ ...profile, name: profile.url });
    expect(error && describeAppError(error)).toContain(
      'endpoints.list.1.dialect must be one of auto, unified, legacy',
    );
  });

  it('fall back to the demonstration if the chosen one is missing', () => {
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

it('initial settings are readable before the core, without secrets', () => {
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
