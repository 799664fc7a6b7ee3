import { describe, expect, it } from 'vitest';
import { EndpointStore } from '../../../../../electron/settings/servers/endpoint-store.ts';
import { SettingsStore } from '../../../../../electron/settings/settings-store.ts';
import { failure, type Outcome } from '../../../../../shared/errors/app-error.ts';
import type { ProfileDraft } from '../../../../../shared/settings/endpoint-profile.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeSecrets } from '../../../../fakes/fake-secrets.ts';
import { FakeStateFile } from '../../../../fakes/fake-state-file.ts';
import { seeded } from '../../../../fakes/seeded.ts';

const draft: ProfileDraft = {
  name: 'Home',
  kind: 'local',
  url: 'wss://gateway.lan:8006/v1?sig=in-the-address',
  dialect: 'auto',
  headers: { 'X-Key': 'header-1' },
  query: { code: 'query-1' },
};
const values = ['in-the-address', 'header-1', 'query-1'];

const kept: ProfileDraft = {
  ...draft,
  url: 'wss://gateway.lan:8006/v1',
  headers: { 'X-Key': null },
  query: { code: null, sig: null },
};

function parley(disk = new Map<string, string>(), secrets = new FakeSecrets()) {
  const file = new FakeStateFile(disk);
  const store = new SettingsStore({ file, clock: new FakeClock() });
  const endpoints = new EndpointStore({ store, secrets, random: seeded(7) });
  return { store, endpoints, secrets, disk, file };
}

function value<Value>(outcome: Outcome<Value>): Value {
  if (!outcome.ok) throw new Error(outcome.error.code);
  return outcome.value;
}

async function withHome() {
  const scene = parley();
  const { id } = value(await scene.endpoints.put(draft));
  const connectedWith = async () => {
    const { endpoint } = value(await scene.endpoints.open(id));
    return { headers: endpoint?.headers, query: endpoint?.query };
  };
  return { ...scene, id, connectedWith };
}

const whole = {
  headers: { 'X-Key': 'header-1' },
  query: { code: 'query-1', sig: 'in-the-address' },
};

describe('the values of a server', () => {
  it('go only to the secret storage and the connection', async () => {
    const { store, endpoints, disk, secrets, id, connectedWith } = await withHome();
    await store.settled();
    const profile = store.get().endpoints.list[1];
    expect(profile).toEqual({ ...kept, id, hasToken: false });
    const { profile: opened } = value(await endpoints.open(id));
    const visibleText = JSON.stringify([profile, opened, [...disk.values()]]);
    for (const each of values) expect(visibleText).not.toContain(each);
    expect([...secrets.known.keys()]).toEqual([`${id}/fields`]);
    expect(await connectedWith()).toEqual(whole);
    const again = parley(disk, secrets);
    expect(value(await again.endpoints.open(id)).endpoint).toMatchObject(whole);
  });

  it('survive renaming, replacing one, and reordering', async () => {
    const { store, endpoints, id, connectedWith } = await withHome();
    value(await endpoints.put({ ...kept, id, name: 'Attic' }));
    expect(await connectedWith()).toEqual(whole);
    value(await endpoints.put({ ...kept, id, headers: { 'X-Key': 'header-2' } }));
    expect(await connectedWith()).toEqual({ ...whole, headers: { 'X-Key': 'header-2' } });
    value(await endpoints.put({ ...draft, name: 'Second' }));
    const [demonstration, first, second] = store.get().endpoints.list;
    value(store.change({ endpoints: { list: [demonstration, second, first] } }));
    await endpoints.end();
    expect(await connectedWith()).toEqual({ ...whole, headers: { 'X-Key': 'header-2' } });
  });

  it('are deleted once nothing needs them', async () => {
    const { endpoints, secrets, id, connectedWith } = await withHome();
    const { sig: _, ...query } = kept.query;
    value(await endpoints.put({ ...kept, id, query }));
    await endpoints.end();
    expect([...secrets.known.values()].join()).not.toContain('in-the-address');
    expect(await connectedWith()).toEqual({ ...whole, query: { code: 'query-1' } });
  });

  it('are deleted with the server', async () => {
    type Scene = Awaited<ReturnType<typeof withHome>>;
    const removals = [
      ({ endpoints, id }: Scene) => endpoints.remove(id),
      ({ store }: Scene) => store.reset('endpoints'),
      ({ endpoints, id }: Scene) => endpoints.put({ ...kept, id, headers: {}, query: {} }),
      ({ endpoints }: Scene) => endpoints.forgetAllTokens(),
    ];
    for (const remove of removals) {
      const scene = await withHome();
      expect((await remove(scene)).ok).toBe(true);
      await scene.endpoints.end();
      expect(scene.secrets.known.size).toBe(0);
    }
  });

  it('are deleted with all tokens, and their names stay', async () => {
    const { store, endpoints, connectedWith, disk } = await withHome();
    expect(endpoints.tokenCount()).toBe(1);
    value(await endpoints.forgetAllTokens());
    expect([endpoints.tokenCount(), store.get().endpoints.list[1]]).toMatchObject([
      0,
      { headers: { 'X-Key': '' }, query: { code: '', sig: '' } },
    ]);
    expect(await connectedWith()).toEqual({
      headers: { 'X-Key': '' },
      query: { code: '', sig: '' },
    });
    for (const each of values) expect(disk.get('settings.json')).not.toContain(each);
  });

  it('are not sent to another server, even if its address is edited by hand', async () => {
    const { store, endpoints, disk, secrets, id } = await withHome();
    await store.settled();
    const text = disk.get('settings.json') ?? '';
    disk.set('settings.json', text.replace('gateway.lan', 'evil.lan'));
    const led = parley(disk, secrets);
    expect(await led.endpoints.open(id)).toEqual(failure('valuesGone', { name: 'Home' }));
    expect(await endpoints.openDraft({ ...kept, id, url: 'wss://evil.lan' })).toEqual(
      failure('valuesGone', { name: 'Home' }),
    );
  });

  it('are added to a draft’s typed values', async () => {
    const { endpoints, id, secrets } = await withHome();
    const typed = { ...kept, id, headers: { 'X-Key': 'typed' } };
    expect(value(await endpoints.openDraft(typed)).endpoint).toMatchObject({
      ...whole,
      headers: { 'X-Key': 'typed' },
    });
    expect([...secrets.known.values()].join()).not.toContain('typed');
  });

  it('are reported if they are missing', async () => {
    const { endpoints, secrets, id } = await withHome();
    secrets.failed = failure('keychainClosed');
    expect(await endpoints.open(id)).toEqual(failure('keychainClosed'));
    secrets.failed = undefined;
    secrets.known.clear();
    expect(await endpoints.open(id)).toEqual(failure('valuesGone', { name: 'Home' }));
    value(await endpoints.put({ ...draft, id }));
    expect((await endpoints.open(id)).ok).toBe(true);
  });

  it('change nothing if the keychain refuses them', async () => {
    const { endpoints, secrets, store, id, connectedWith } = await withHome();
    const before = store.get();
    secrets.failed = failure('keychainRefuses');
    const changed = { ...kept, id, headers: { 'X-Key': 'header-2' } };
    expect(await endpoints.put(changed)).toEqual(failure('keychainRefuses'));
    expect(await endpoints.put({ ...kept, id, name: 'Attic' })).toMatchObject({ ok: true });
    expect(store.get().endpoints.list[1]?.headers).toEqual(before.endpoints.list[1]?.headers);
    secrets.failed = undefined;
    expect(await connectedWith()).toEqual(whole);
  });

  it('do not restore a server that was removed meanwhile', async () => {
    const { endpoints, secrets, store, id } = await withHome();
    const putting = endpoints.put({ ...kept, id, headers: { 'X-Key': 'header-2' } });
    endpoints.remove(id);
    expect(await putting).toEqual(failure('serverGone'));
    await endpoints.end();
    expect([store.get().endpoints.list.length, secrets.known.size]).toEqual([2, 0]);
  });

  it('match the settings on disk after a crash at any moment', async () => {
    const { endpoints, store, secrets, file, id } = await withHome();
    await store.settled();
    const left: [settings: string, kept: ReadonlyMap<string, string>][] = [];
    const look = (): void => {
      const found = file.read();
      left.push([(found.ok && found.value) || '', new Map(secrets.known)]);
    };
    const set = secrets.set.bind(secrets);
    secrets.set = async (...what) => {
      look();
      const done = await set(...what);
      look();
      return done;
    };
    file.whileWriting = look;
    const moved = { ...draft, id, url: 'wss://other.lan', headers: { 'X-New': 'header-3' } };
    value(await endpoints.put(moved));
    await endpoints.end();
    await store.settled();
    look();
    expect(left.length).toBeGreaterThan(4);
    for (const [settings, known] of left) {
      const after = new FakeSecrets();
      for (const [key, secret] of known) after.known.set(key, secret);
      const again = parley(new Map([['settings.json', settings]]), after);
      expect((await again.endpoints.open(id)).ok).toBe(true);
    }
  });
});
