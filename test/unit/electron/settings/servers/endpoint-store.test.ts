import { describe, expect, it, vi } from 'vitest';
import { EndpointStore } from '../../../../../electron/settings/servers/endpoint-store.ts';
import { SettingsStore } from '../../../../../electron/settings/settings-store.ts';
import { failure, type Outcome } from '../../../../../shared/errors/app-error.ts';
import type { ProfileDraft } from '../../../../../shared/settings/connection-settings.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeSecrets } from '../../../../fakes/fake-secrets.ts';
import { FakeStateFile } from '../../../../fakes/fake-state-file.ts';
import { flushPromises } from '../../../../fakes/promises.ts';
import { seeded } from '../../../../fakes/seeded.ts';

const token = 'tok-7f3a91c2';

const draft: ProfileDraft = {
  name: 'Home',
  kind: 'local',
  url: 'wss://gateway.lan:8006',
  dialect: 'auto',
  headers: {},
  query: {},
};

function openStore(disk = new Map<string, string>(), secrets = new FakeSecrets()) {
  const file = new FakeStateFile(disk);
  const clock = new FakeClock();
  const store = new SettingsStore({ file, clock });
  const endpoints = new EndpointStore({ store, secrets, random: seeded(7) });
  return { store, endpoints, secrets, disk, file, clock };
}

function unwrap<Value>(outcome: Outcome<Value>): Value {
  if (!outcome.ok) throw new Error(outcome.error.code);
  return outcome.value;
}

/** A store with a server that has a token. */
async function openWithToken() {
  const scene = openStore();
  const { id } = unwrap(await scene.endpoints.put(draft));
  unwrap(await scene.endpoints.setToken(id, token));
  return { ...scene, id, settle: flushPromises };
}

describe('a server', () => {
  it('is added with a new id, changed, chosen, opened and removed', async () => {
    const { store, endpoints } = openStore();
    const added = unwrap(await endpoints.put(draft));
    expect(added).toEqual({ ...draft, id: added.id, hasToken: false });
    expect(unwrap(await endpoints.put({ ...draft, id: added.id, name: 'Attic' })).name).toBe(
      'Attic',
    );
    expect(unwrap(store.change({ endpoints: { chosen: added.id } })).endpoints.list).toHaveLength(
      3,
    );
    const { endpoint } = unwrap(await endpoints.open());
    expect(endpoint).toMatchObject({ url: 'wss://gateway.lan:8006/v1/realtime', token: undefined });
    const other = unwrap(await endpoints.put(draft));
    const left = unwrap(endpoints.remove(added.id)).endpoints;
    expect([left.chosen, left.list.length, left.list[1]]).toEqual(['embedded', 3, other]);
    expect(await endpoints.open(added.id)).toEqual(failure('serverGone'));
    expect(endpoints.forgetToken(added.id)).toEqual(failure('serverGone'));
  });

  it('always exists and cannot be changed if it is the demonstration', async () => {
    const { endpoints } = openStore();
    expect(unwrap(await endpoints.open())).toMatchObject({
      profile: { id: 'embedded' },
      endpoint: undefined,
    });
    const outcomes = [
      await endpoints.put({ ...draft, id: 'embedded' }),
      endpoints.remove('embedded'),
      await endpoints.setToken('embedded', token),
    ];
    for (const outcome of outcomes) expect(outcome).toEqual(failure('demonstrationStays'));
  });

  it('is refused with a clear message if there are too many', async () => {
    const { endpoints } = openStore();
    for (let count = 0; count < 48; count += 1)
      expect(await endpoints.put(draft)).toMatchObject({ ok: true });
    expect(await endpoints.put(draft)).toMatchObject({
      ok: false,
      error: { code: 'serversMany', facts: { most: 48 } },
    });
  });
});

describe('a token', () => {
  it('goes only to the secret storage and the connection', async () => {
    const { store, endpoints, secrets, disk, id } = await openWithToken();
    await store.settled();
    expect([...secrets.known.values()]).toEqual([token]);
    const visibleTexts = [
      store.get(),
      [...disk.values()],
      unwrap(await endpoints.put({ ...draft, id, name: 'B' })),
    ];
    expect(JSON.stringify(visibleTexts)).not.toContain(token);
    expect(store.get().endpoints.list[1]?.hasToken).toBe(true);
    expect(unwrap(await endpoints.open(id)).endpoint?.token).toBe(token);
  });

  it.each(['', 'with space', `${token}\n`, 'ü', 'x'.repeat(9000)])(
    'is refused if it is malformed, and is not repeated in the error (%#)',
    async (wrong) => {
      const { endpoints, secrets, id } = await openWithToken();
      const refused = await endpoints.setToken(id, wrong);
      expect(refused.ok).toBe(false);
      if (wrong !== '') expect(JSON.stringify(refused)).not.toContain(wrong);
      expect(secrets.known.get(id)).toBe(token);
    },
  );

  type Scene = Awaited<ReturnType<typeof openWithToken>>;
  it.each<[string, (scene: Scene) => unknown]>([
    ['it is forgotten', ({ endpoints, id }) => endpoints.forgetToken(id)],
    ['its server is removed', ({ endpoints, id }) => endpoints.remove(id)],
    ['the address changes', ({ endpoints, id }) => endpoints.put({ ...draft, id, url: 'wss://x' })],
    ['the servers are reset', ({ store }) => store.reset('endpoints')],
  ])('is deleted when %s', async (_when, remove) => {
    const scene = await openWithToken();
    expect(await remove(scene)).toMatchObject({ ok: true });
    await scene.endpoints.end();
    expect(scene.secrets.known.size).toBe(0);
    expect(scene.store.get().endpoints.list.some(({ hasToken }) => hasToken)).toBe(false);
  });

  it('is deleted before Parley ends, even from a slow disk', async () => {
    const { endpoints, secrets, id, settle } = await openWithToken();
    const quick = secrets.delete.bind(secrets);
    vi.spyOn(secrets, 'delete').mockImplementation(async (which) => {
      await settle();
      return quick(which);
    });
    endpoints.forgetToken(id);
    await endpoints.end();
    expect(secrets.known.size).toBe(0);
  });

  it('is deleted with all other tokens, even those without a server', async () => {
    const { store, endpoints, secrets } = await openWithToken();
    secrets.known.set('of-a-server-that-the-damaged-settings-had', token);
    store.change({ proxy: { address: 'http://proxy:1', hasLogin: true } });
    expect(endpoints.tokenCount()).toBe(2);
    unwrap(await endpoints.forgetAllTokens());
    expect([secrets.known.size, endpoints.tokenCount()]).toEqual([0, 0]);
    expect(store.get().proxy).toMatchObject({ address: 'http://proxy:1', hasLogin: false });
    expect(store.get().endpoints.list.some(({ hasToken }) => hasToken)).toBe(false);
  });

  it('is reported if it is missing', async () => {
    const { endpoints, secrets, id } = await openWithToken();
    secrets.known.clear();
    expect(await endpoints.open(id)).toEqual(failure('tokenGone', { name: 'Home' }));
    secrets.failed = failure('keychainClosed');
    expect(await endpoints.open(id)).toEqual(failure('keychainClosed'));
    expect((await endpoints.setToken(id, 'other-token')).ok).toBe(false);
  });

  it('is deleted if its server’s address changes while the token is being stored', async () => {
    const { endpoints, secrets, store } = openStore();
    const { id } = unwrap(await endpoints.put(draft));
    const setting = endpoints.setToken(id, token);
    await endpoints.put({ ...draft, id, url: 'wss://evil.lan' });
    expect(await setting).toEqual(failure('addressChanged'));
    expect([secrets.known.size, store.get().endpoints.list[1]?.hasToken]).toEqual([0, false]);
  });

  it('is used for a draft only while the server stays the same', async () => {
    const { endpoints, id, store } = await openWithToken();
    const tokenFor = async (fields: object, given?: string) =>
      unwrap(await endpoints.openDraft({ ...draft, id, ...fields }, given)).endpoint?.token;
    expect(await tokenFor({ name: 'Typed' })).toBe(token);
    expect(await tokenFor({ url: 'wss://evil.lan' })).toBeUndefined();
    expect(await tokenFor({ url: 'wss://evil.lan' }, 'typed-token')).toBe('typed-token');
    expect(await tokenFor({ id: undefined })).toBeUndefined();
    expect(store.get().endpoints.list).toHaveLength(3);
    const refused = await endpoints.openDraft({ ...draft, url: 'x' }, 'typed-token');
    expect(refused.ok).toBe(false);
    expect(JSON.stringify(refused)).not.toContain('typed-token');
  });
});

const draftWithValues: ProfileDraft = {
  name: 'Home',
  kind: 'local',
  url: 'wss://gateway.lan:8006/v1?sig=in-the-address',
  dialect: 'auto',
  headers: { 'X-Key': 'header-1' },
  query: { code: 'query-1' },
};
const values = ['in-the-address', 'header-1', 'query-1'];

const draftWithStored: ProfileDraft = {
  ...draftWithValues,
  url: 'wss://gateway.lan:8006/v1',
  headers: { 'X-Key': null },
  query: { code: null, sig: null },
};

async function openWithValues() {
  const scene = openStore();
  const { id } = unwrap(await scene.endpoints.put(draftWithValues));
  const connectedWith = async () => {
    const { endpoint } = unwrap(await scene.endpoints.open(id));
    return { headers: endpoint?.headers, query: endpoint?.query };
  };
  return { ...scene, id, connectedWith };
}

const sentValues = {
  headers: { 'X-Key': 'header-1' },
  query: { code: 'query-1', sig: 'in-the-address' },
};

describe('the values of a server', () => {
  it('go only to the secret storage and the connection', async () => {
    const { store, endpoints, disk, secrets, id, connectedWith } = await openWithValues();
    await store.settled();
    const profile = store.get().endpoints.list[1];
    expect(profile).toEqual({ ...draftWithStored, id, hasToken: false });
    const { profile: opened } = unwrap(await endpoints.open(id));
    const visibleText = JSON.stringify([profile, opened, [...disk.values()]]);
    for (const each of values) expect(visibleText).not.toContain(each);
    expect([...secrets.known.keys()]).toEqual([`${id}/fields`]);
    expect(await connectedWith()).toEqual(sentValues);
    const again = openStore(disk, secrets);
    expect(unwrap(await again.endpoints.open(id)).endpoint).toMatchObject(sentValues);
  });

  it('are kept when the server is renamed, a value is replaced, or servers are reordered', async () => {
    const { store, endpoints, id, connectedWith } = await openWithValues();
    unwrap(await endpoints.put({ ...draftWithStored, id, name: 'Attic' }));
    expect(await connectedWith()).toEqual(sentValues);
    unwrap(await endpoints.put({ ...draftWithStored, id, headers: { 'X-Key': 'header-2' } }));
    expect(await connectedWith()).toEqual({ ...sentValues, headers: { 'X-Key': 'header-2' } });
    unwrap(await endpoints.put({ ...draftWithValues, name: 'Second' }));
    const [demonstration, first, second] = store.get().endpoints.list;
    unwrap(store.change({ endpoints: { list: [demonstration, second, first] } }));
    await endpoints.end();
    expect(await connectedWith()).toEqual({ ...sentValues, headers: { 'X-Key': 'header-2' } });
  });

  type Scene = Awaited<ReturnType<typeof openWithValues>>;
  it.each<[string, (scene: Scene) => unknown]>([
    ['the server', ({ endpoints, id }) => endpoints.remove(id)],
    ['all servers', ({ store }) => store.reset('endpoints')],
    [
      'their fields',
      ({ endpoints, id }) => endpoints.put({ ...draftWithStored, id, headers: {}, query: {} }),
    ],
  ])('are deleted with %s', async (_what, remove) => {
    const scene = await openWithValues();
    expect(await remove(scene)).toMatchObject({ ok: true });
    await scene.endpoints.end();
    expect(scene.secrets.known.size).toBe(0);
  });

  it('leave the settings file with their server after a full disk has room again', async () => {
    const { store, endpoints, disk, file, clock, id } = await openWithValues();
    await store.settled();
    file.writeFailure = failure('diskFull', { path: 'settings.json' });
    unwrap(endpoints.remove(id));
    await flushPromises();
    expect(disk.get('settings.json')).toContain(id);
    file.writeFailure = undefined;
    clock.advance(20_000);
    await flushPromises();
    expect(disk.get('settings.json')).not.toContain(id);
  });

  it('are deleted with all tokens, but the field names stay', async () => {
    const { store, endpoints, secrets, disk } = await openWithValues();
    expect(endpoints.tokenCount()).toBe(1);
    unwrap(await endpoints.forgetAllTokens());
    expect([endpoints.tokenCount(), secrets.known.size]).toEqual([0, 0]);
    const names = { headers: { 'X-Key': '' }, query: { code: '', sig: '' } };
    expect(store.get().endpoints.list[1]).toMatchObject(names);
    for (const each of values) expect(disk.get('settings.json')).not.toContain(each);
  });

  it('are not sent to another server, even if its address is edited by hand', async () => {
    const { store, endpoints, disk, secrets, id } = await openWithValues();
    await store.settled();
    const text = disk.get('settings.json') ?? '';
    disk.set('settings.json', text.replace('gateway.lan', 'evil.lan'));
    const edited = openStore(disk, secrets);
    expect(await edited.endpoints.open(id)).toEqual(failure('valuesGone', { name: 'Home' }));
    expect(await endpoints.openDraft({ ...draftWithStored, id, url: 'wss://evil.lan' })).toEqual(
      failure('valuesGone', { name: 'Home' }),
    );
  });

  it('fill in the fields of a draft that the user has not typed', async () => {
    const { endpoints, id, secrets } = await openWithValues();
    const typed = { ...draftWithStored, id, headers: { 'X-Key': 'typed' } };
    expect(unwrap(await endpoints.openDraft(typed)).endpoint).toMatchObject({
      ...sentValues,
      headers: { 'X-Key': 'typed' },
    });
    expect([...secrets.known.values()].join()).not.toContain('typed');
  });

  it('are reported if they are missing', async () => {
    const { endpoints, secrets, id } = await openWithValues();
    secrets.failed = failure('keychainClosed');
    expect(await endpoints.open(id)).toEqual(failure('keychainClosed'));
    secrets.failed = undefined;
    secrets.known.clear();
    expect(await endpoints.open(id)).toEqual(failure('valuesGone', { name: 'Home' }));
    const wrong = {
      'wss://gateway.lan:8006': { headers: { 'X-Key': 1 }, query: sentValues.query },
    };
    secrets.known.set(`${id}/fields`, JSON.stringify(wrong));
    expect(await endpoints.open(id)).toEqual(failure('valuesGone', { name: 'Home' }));
    unwrap(await endpoints.put({ ...draftWithValues, id }));
    expect((await endpoints.open(id)).ok).toBe(true);
  });

  it('change nothing if the keychain refuses them', async () => {
    const { endpoints, secrets, store, id, connectedWith } = await openWithValues();
    const before = store.get();
    secrets.failed = failure('keychainRefuses');
    const changed = { ...draftWithStored, id, headers: { 'X-Key': 'header-2' } };
    for (const refused of [changed, draftWithValues])
      expect(await endpoints.put(refused)).toEqual(failure('keychainRefuses'));
    expect(await endpoints.put({ ...draftWithStored, id, name: 'Attic' })).toMatchObject({
      ok: true,
    });
    expect(store.get().endpoints.list[1]?.headers).toEqual(before.endpoints.list[1]?.headers);
    secrets.failed = undefined;
    expect(await connectedWith()).toEqual(sentValues);
  });

  it('are not replaced if the stored ones cannot be read and some are still needed', async () => {
    const { endpoints, secrets, id } = await openWithValues();
    vi.spyOn(secrets, 'get').mockResolvedValue(failure('keychainClosed'));
    const changed = { ...draftWithStored, id, headers: { 'X-Key': 'header-2' } };
    expect(await endpoints.put(changed)).toEqual(failure('keychainClosed'));
    expect([...secrets.known.values()].join()).toContain('header-1');
  });

  it('do not restore a server that was removed meanwhile', async () => {
    const { endpoints, secrets, store, id } = await openWithValues();
    const putting = endpoints.put({ ...draftWithStored, id, headers: { 'X-Key': 'header-2' } });
    endpoints.remove(id);
    expect(await putting).toEqual(failure('serverGone'));
    await endpoints.end();
    expect([store.get().endpoints.list.length, secrets.known.size]).toEqual([2, 0]);
  });

  it('match the settings on disk after a crash at any moment', async () => {
    const { endpoints, store, secrets, file, id } = await openWithValues();
    await store.settled();
    const states: [settings: string, secrets: ReadonlyMap<string, string>][] = [];
    const noteState = (): void => {
      const found = file.read();
      states.push([(found.ok && found.value) || '', new Map(secrets.known)]);
    };
    const set = secrets.set.bind(secrets);
    secrets.set = async (...what) => {
      noteState();
      const done = await set(...what);
      noteState();
      return done;
    };
    file.whileWriting = noteState;
    const moved = {
      ...draftWithValues,
      id,
      url: 'wss://other.lan',
      headers: { 'X-New': 'header-3' },
    };
    unwrap(await endpoints.put(moved));
    await endpoints.end();
    await store.settled();
    noteState();
    expect(states.length).toBeGreaterThan(4);
    for (const [settings, known] of states) {
      const after = new FakeSecrets();
      for (const [key, secret] of known) after.known.set(key, secret);
      const again = openStore(new Map([['settings.json', settings]]), after);
      expect((await again.endpoints.open(id)).ok).toBe(true);
    }
  });
});
