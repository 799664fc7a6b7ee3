import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createStateFile } from '../../electron/platform/files/state-file.ts';
import { createSecretFile } from '../../electron/platform/files/secret-file.ts';
import { EndpointStore } from '../../electron/settings/servers/endpoint-store.ts';
import { SettingsStore } from '../../electron/settings/settings-store.ts';
import { FakeClock } from '../fakes/fake-clock.ts';
import { FakeKeychain } from '../fakes/fake-secrets.ts';
import { seeded } from '../fakes/seeded.ts';
import { workFolder } from '../fakes/work-folder.ts';

const values = { header: 'header-4f9a2b71c3', query: 'query-4f9a2b71c3' };

const oldSettings = JSON.stringify({
  version: 1,
  endpoints: {
    chosen: 'home',
    list: [
      { id: 'embedded', name: 'Demonstration', kind: 'embedded', url: '' },
      {
        id: 'home',
        name: 'Home',
        kind: 'local',
        url: 'wss://gateway.lan',
        dialect: 'auto',
        headers: { 'X-Key': values.header },
        query: { code: values.query },
        hasToken: false,
      },
    ],
  },
});

/** A Parley on real files. */
function start(folder: string, keychain: FakeKeychain | undefined, tokens = folder) {
  const store = new SettingsStore({
    file: createStateFile(folder, 'settings'),
    lastGood: createStateFile(folder, 'settings.last-good'),
    clock: new FakeClock(),
  });
  const secrets = createSecretFile(createStateFile(tokens, 'tokens'), keychain);
  const endpoints = new EndpointStore({ store, secrets, random: seeded(7) });
  return {
    store,
    endpoints,
    end: async () => {
      store.get();
      await endpoints.end();
      await store.settled();
    },
  };
}

/** The files that have the text in them, plain or as base64. */
function filesWith(folder: string, text: string): readonly string[] {
  const forms = [text, Buffer.from(text).toString('base64').slice(0, 12)];
  return readdirSync(folder).filter((name) => {
    const path = `${folder}/${name}`;
    if (!statSync(path).isFile()) return false;
    const content = readFileSync(path, 'utf8');
    return forms.some((form) => content.includes(form));
  });
}

function oldFolder(): string {
  const folder = workFolder()('state');
  mkdirSync(folder);
  for (const name of ['settings', 'settings.last-good'])
    writeFileSync(`${folder}/${name}.json`, oldSettings);
  return folder;
}

const endpointFields = { headers: { 'X-Key': values.header }, query: { code: values.query } };

describe.each([
  ['a plain file', undefined, ['tokens.json']],
  ['a keychain', new FakeKeychain(), []],
])('values of header and query fields, kept by %s', (_name, keychain, filesInUse) => {
  it('move out of old settings and their copy, and work at the next start', async () => {
    const folder = oldFolder();
    await start(folder, keychain).end();
    for (const value of Object.values(values)) expect(filesWith(folder, value)).toEqual(filesInUse);
    expect(statSync(`${folder}/tokens.json`).mode & 0o777).toBe(0o600);
    const { endpoints, end } = start(folder, keychain);
    expect(await endpoints.open('home')).toMatchObject({ value: { endpoint: endpointFields } });
    await endpoints.forgetAllTokens();
    await end();
    for (const value of Object.values(values)) expect(filesWith(folder, value)).toEqual([]);
  });

  it('stay in the settings while they cannot be stored', async () => {
    const folder = oldFolder();
    // A path inside a file cannot be written, not even by root.
    const tokens = `${folder}/tokens-here`;
    writeFileSync(tokens, '');
    const first = start(folder, keychain, tokens);
    await first.end();
    expect(readFileSync(`${folder}/settings.json`, 'utf8')).toBe(oldSettings);
    expect(readFileSync(`${folder}/settings.last-good.json`, 'utf8')).toBe(oldSettings);
    expect(first.store.problems()).toMatchObject([{ code: 'valuesStay' }]);
    rmSync(tokens);
    const again = start(folder, keychain, tokens);
    expect(await again.endpoints.open('home')).toMatchObject({
      value: { endpoint: endpointFields },
    });
    await again.end();
    for (const value of Object.values(values)) {
      expect(filesWith(folder, value)).toEqual([]);
      expect(filesWith(tokens, value)).toEqual(filesInUse);
    }
  });
});

it('values encrypted by a keychain are reported as locked without it', async () => {
  const folder = oldFolder();
  await start(folder, new FakeKeychain()).end();
  const browser = start(folder, undefined);
  expect(await browser.endpoints.open('home')).toMatchObject({
    ok: false,
    error: { code: 'keychainElsewhere' },
  });
});
