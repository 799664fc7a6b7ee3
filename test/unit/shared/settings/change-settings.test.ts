import { describe, expect, it } from 'vitest';
import { failure } from '../../../../shared/errors/app-error.ts';
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
    'an invalid change is refused (%#)',
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
