import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../../../../shared/settings/default-settings.ts';
import {
  changeSettings,
  readSettings,
  writeSettings,
} from '../../../../shared/settings/read-settings.ts';
import type { Settings } from '../../../../shared/settings/settings.ts';

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

const withHome: Settings = {
  ...defaultSettings,
  endpoints: { chosen: 'home', list: [...defaultSettings.endpoints.list, profile] },
};

function change(settings: Settings, patch: unknown): Settings {
  const changed = changeSettings(settings, patch);
  if (!changed.ok) throw new Error(changed.problem);
  return changed.value;
}

describe('settings that were kept', () => {
  it('are read as they were written, a server with everything among them', () => {
    expect(readSettings(JSON.parse(writeSettings(withHome)))).toEqual({ settings: withHome });
    expect(readSettings({})).toEqual({ settings: defaultSettings });
  });

  it('satisfy their own rules from the start', () => {
    expect(readSettings(JSON.parse(writeSettings(defaultSettings)))).toEqual({
      settings: defaultSettings,
    });
  });

  it('lose a broken field and nothing else, and say which without saying its value', () => {
    const { settings, problem } = readSettings({
      version: 1,
      audio: { playbackVolume: 7, inputVolume: 0.5, microphone: { name: 'Headset', port: 3 } },
      captions: 'huge',
      talking: { mode: 'shout', key: 'KeyT', overlap: { enabled: false, shortMs: 'secret-value' } },
      assistant: { generation: { temperature: 0.1, topK: 1.5, dance: true } },
      privacy: { days: 'forever' },
      weather: 'fine',
    });
    expect(settings).toEqual({
      ...defaultSettings,
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
      privacy: { ...defaultSettings.privacy, days: 'forever' },
    });
    expect(problem).toContain('audio.playbackVolume must be a number from 0 to 1');
    expect(problem).toContain('assistant.generation.topK must be a whole number from 1 to 1000');
    expect(problem).toContain('; and 2 more.');
    expect(problem).not.toContain('secret-value');
  });

  it.each([null, 7, 'text', [], [1]])('are all as at first where %j stands for them', (value) => {
    const { settings, problem } = readSettings(value);
    expect(settings).toEqual(defaultSettings);
    expect(problem).toContain('all of them');
  });

  it('take no property of an object for a setting, and give none away', () => {
    const { settings, problem } = readSettings(
      JSON.parse('{"__proto__":{"captions":{"size":40}},"audio":{"__proto__":{"inputVolume":0}}}'),
    );
    expect(settings).toEqual(defaultSettings);
    expect(problem).toContain('__proto__ is no setting');
  });

  it('of a newer version are read as far as they are known, and that is told', () => {
    const { settings, problem } = readSettings({ version: 9, captions: { size: 40 } });
    expect(settings.captions.size).toBe(40);
    expect(problem).toBe('The settings were written by a newer version of Parley.');
  });

  it('of an older version go through every step since', () => {
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

describe('the servers among them', () => {
  const read = (endpoints: unknown) => readSettings({ endpoints });

  it('always begin with the demonstration, which nobody can change', () => {
    const { settings } = read({ list: [profile, { id: 'embedded', name: 'x', url: 'ws://evil' }] });
    expect(settings.endpoints.list).toEqual([...defaultSettings.endpoints.list, profile]);
    expect(settings.endpoints.chosen).toBe('embedded');
  });

  it.each([
    ['no address', { ...profile, url: '' }, 'an id and an address'],
    ['an address that is none', { ...profile, url: 'nowhere' }, 'has no scheme'],
    ['an id that is none', { ...profile, id: '../x' }, 'small letters'],
    [
      'a token among the headers',
      { ...profile, headers: { authorization: 'Bearer tok-1' } },
      'give its token',
    ],
    ['a fingerprint that is none', { ...profile, fingerprint: 'abc' }, '64 hexadecimal digits'],
    ['a header that is none', { ...profile, headers: { 'a b': 'tok-1' } }, 'is written as'],
    ['the same id twice', [profile, profile], 'the id of another server'],
  ])('with %s are left out, and the rest stays', (_what, wrong, problem) => {
    const good = { ...profile, id: 'good' };
    const found = read({ list: [good, ...[wrong].flat()] });
    expect(found.settings.endpoints.list.map(({ id }) => id).slice(0, 2)).toEqual([
      'embedded',
      'good',
    ]);
    expect(found.settings.endpoints.list.length).toBeLessThanOrEqual(3);
    expect(found.problem).toContain(problem);
    expect(found.problem).not.toContain('tok-1');
  });

  it('lose a field that is wrong but not needed', () => {
    const { settings, problem } = read({ list: [{ ...profile, dialect: 'klingon', name: 3 }] });
    expect(settings.endpoints.list[1]).toEqual({ ...profile, name: profile.url });
    expect(problem).toContain('endpoints.list.1.dialect must be one of auto, unified, legacy');
  });

  it('leave the demonstration where the chosen one is gone', () => {
    expect(read({ chosen: 'gone', list: [] }).settings.endpoints.chosen).toBe('embedded');
  });
});

describe('a change', () => {
  it('changes what it names, however deep, and leaves the rest', () => {
    const changed = change(withHome, {
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
    expect(changed.endpoints).toEqual(withHome.endpoints);
  });

  it('that has one thing wrong changes nothing', () => {
    const patch = { captions: { size: 40 }, vision: { slices: 10 } };
    expect(changeSettings(defaultSettings, patch)).toEqual({
      ok: false,
      problem: 'Nothing was changed: vision.slices must be a whole number from 1 to 9.',
    });
  });

  it.each([undefined, null, 3, [], { assistant: { instructions: 'x'.repeat(50_000) } }])(
    'that is none is refused (%#)',
    (patch) => {
      expect(changeSettings(defaultSettings, patch).ok).toBe(false);
    },
  );

  it('cannot choose a server that is not there', () => {
    expect(changeSettings(defaultSettings, { endpoints: { chosen: 'gone' } })).toEqual({
      ok: false,
      problem: 'Nothing was changed: there is no such server.',
    });
  });

  it('that takes the chosen server away leaves the demonstration', () => {
    expect(change(withHome, { endpoints: { list: [] } }).endpoints).toEqual(
      defaultSettings.endpoints,
    );
  });
});

describe('a token and the trust in a certificate', () => {
  const fingerprint = Array.from({ length: 32 }, () => 'AB').join(':');
  const trusting = change(withHome, {
    endpoints: { list: [{ ...profile, fingerprint }] },
  });
  const home = (settings: Settings) => settings.endpoints.list[1];
  const moved = (fields: object) =>
    home(change(trusting, { endpoints: { list: [{ ...home(trusting), ...fields }] } }));

  it('stay with the server, whatever else is changed', () => {
    const same = { url: 'wss://GATEWAY.lan:8006/other', name: 'New', hasToken: false };
    expect(moved(same)).toMatchObject({ hasToken: true, fingerprint });
  });

  it.each(['https://gateway.lan:8007', 'http://gateway.lan:8006', 'https://evil.lan:8006'])(
    'do not go along to %s',
    (url) => {
      const profileThere = moved(
        url.startsWith('http:') ? { url, fingerprint: undefined } : { url },
      );
      expect(profileThere).toMatchObject({ url, hasToken: false });
      expect(profileThere?.fingerprint).toBeUndefined();
    },
  );

  it('are trusted anew where a new fingerprint comes with the new address', () => {
    const other = fingerprint.replaceAll('AB', 'CD');
    expect(moved({ url: 'https://new.lan', fingerprint: other })?.fingerprint).toBe(other);
  });

  it('cannot be claimed by whoever changes the settings', () => {
    const list = [{ ...profile, id: 'fresh', hasToken: true }];
    expect(home(change(defaultSettings, { endpoints: { list } }))?.hasToken).toBe(false);
  });

  it('know the usual port', () => {
    const list = [{ ...profile, url: 'https://a.lan:443', hasToken: true }];
    const read = readSettings({ endpoints: { list } }).settings;
    const [, same] = change(read, {
      endpoints: { list: [{ ...list[0], url: 'wss://a.lan/v1' }] },
    }).endpoints.list;
    expect(same?.hasToken).toBe(true);
  });
});
