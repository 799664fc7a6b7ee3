import { describe, expect, it, vi } from 'vitest';
import { EndpointStore } from '../../../../../electron/settings/servers/endpoint-store.ts';
import { SettingsStore } from '../../../../../electron/settings/settings-store.ts';
import { failure, type Outcome } from '../../../../../shared/errors/app-error.ts';
import type { ProfileDraft } from '../../../../../shared/settings/endpoint-profile.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeSecrets } from '../../../../fakes/fake-secrets.ts';
import { FakeStateFile } from '../../../../fakes/fake-state-file.ts';
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

function parley(disk = new Map<string, string>(), secrets = new FakeSecrets()) {
  const store = new SettingsStore({ file: new FakeStateFile(disk), clock: new FakeClock() });
  const endpoints = new EndpointStore({ store, secrets, random: seeded(7) });
  return { store, endpoints, secrets, disk };
}

function value<Value>(outcome: Outcome<Value>): Value {
  if (!outcome.ok) throw new Error(outcome.error.code);
  return outcome.value;
}

async function withHome() {
  const scene = parley();
  const { id } = value(await scene.endpoints.put(draft));
  value(await scene.endpoints.setToken(id, token));
  return { ...scene, id, settle: () => new Promise((resolve) => setTimeout(resolve, 0)) };
}

describe('a server', () => {
  it('is added with a new id, changed, chosen, opened and removed', async () => {
    const { store, endpoints } = parley();
    const added = value(await endpoints.put(draft));
    expect(added).toEqual({ ...draft, id: added.id, hasToken: false });
    expect(value(await endpoints.put({ ...draft, id: added.id, name: 'Attic' })).name).toBe(
      'Attic',
    );
    expect(value(store.change({ endpoints: { chosen: added.id } })).endpoints.list).toHaveLength(3);
    const { endpoint } = value(await endpoints.open());
    expect(endpoint).toMatchObject({ url: 'wss://gateway.lan:8006/v1/realtime', token: undefined });
    expect(value(endpoints.remove(added.id)).endpoints.chosen).toBe('embedded');
    expect((await endpoints.open(added.id)).ok).toBe(false);
  });

  it('is refused with the reason if it cannot be connected to', async () => {
    const { endpoints, store } = parley();
    const refused = await endpoints.put({ ...draft, url: 'gateway' });
    expect(refused).toMatchObject(failure('noScheme', { address: 'gateway' }));
    expect(store.get().endpoints.list).toHaveLength(2);
  });

  it('always exists and cannot be changed if it is the demonstration', async () => {
    const { endpoints } = parley();
    expect(value(await endpoints.open())).toMatchObject({
      profile: { id: 'embedded' },
      endpoint: undefined,
    });
    const tries = [
      await endpoints.put({ ...draft, id: 'embedded' }),
      endpoints.remove('embedded'),
      await endpoints.setToken('embedded', token),
    ];
    expect(tries.map(({ ok }) => ok)).toEqual([false, false, false]);
    expect(tries[2]).toEqual(failure('demonstrationStays'));
  });
});

describe('a token', () => {
  it('goes only to the secret storage and the connection', async () => {
    const { store, endpoints, secrets, disk, id } = await withHome();
    await store.settled();
    expect([...secrets.known.values()]).toEqual([token]);
    const visibleTexts = [
      store.get(),
      [...disk.values()],
      value(await endpoints.put({ ...draft, id, name: 'B' })),
    ];
    expect(JSON.stringify(visibleTexts)).not.toContain(token);
    expect(store.get().endpoints.list[1]?.hasToken).toBe(true);
    expect(value(await endpoints.open(id)).endpoint?.token).toBe(token);
  });

  it.each(['', 'with space', `${token}\n`, 'ü', 'x'.repeat(9000)])(
    'a malformed token is refused and never repeated (%#)',
    async (wrong) => {
      const { endpoints, secrets, id } = await withHome();
      const refused = await endpoints.setToken(id, wrong);
      expect(refused.ok).toBe(false);
      if (wrong !== '') expect(JSON.stringify(refused)).not.toContain(wrong);
      expect(secrets.known.get(id)).toBe(token);
    },
  );

  it('is deleted when it is forgotten, its server removed, or the address changed', async () => {
    const removals = [
      (scene: Awaited<ReturnType<typeof withHome>>) => scene.endpoints.forgetToken(scene.id),
      (scene: Awaited<ReturnType<typeof withHome>>) => scene.endpoints.remove(scene.id),
      (scene: Awaited<ReturnType<typeof withHome>>) =>
        scene.endpoints.put({ ...draft, id: scene.id, url: 'wss://evil.lan' }),
      (scene: Awaited<ReturnType<typeof withHome>>) => scene.store.reset('endpoints'),
    ];
    for (const remove of removals) {
      const scene = await withHome();
      expect((await remove(scene)).ok).toBe(true);
      await scene.endpoints.end();
      expect(scene.secrets.known.size).toBe(0);
      expect(scene.store.get().endpoints.list.some(({ hasToken }) => hasToken)).toBe(false);
    }
  });

  it('is deleted from a slow disk before the deletion is reported', async () => {
    const { endpoints, secrets, id, settle } = await withHome();
    const quick = secrets.delete.bind(secrets);
    vi.spyOn(secrets, 'delete').mockImplementation(async (which) => {
      await settle();
      return quick(which);
    });
    endpoints.forgetToken(id);
    await endpoints.end();
    expect(secrets.known.size).toBe(0);
  });

  it('is deleted with all others, even orphaned ones', async () => {
    const { store, endpoints, secrets } = await withHome();
    secrets.known.set('of-a-server-that-the-damaged-settings-had', token);
    expect(endpoints.tokenCount()).toBe(2);
    value(await endpoints.forgetAllTokens());
    expect([secrets.known.size, endpoints.tokenCount()]).toEqual([0, 0]);
    expect(store.get().endpoints.list.some(({ hasToken }) => hasToken)).toBe(false);
  });

  it('survives any other change', async () => {
    const { store, endpoints, secrets, id } = await withHome();
    await endpoints.put({
      ...draft,
      id,
      name: 'New',
      url: 'https://GATEWAY.lan:8006/x',
      dialect: 'legacy',
    });
    store.change({ endpoints: { chosen: id }, captions: { size: 40 } });
    await endpoints.end();
    expect([secrets.known.get(id), value(await endpoints.open()).endpoint?.token]).toEqual([
      token,
      token,
    ]);
  });

  it('is reported if it is missing', async () => {
    const { endpoints, secrets, id } = await withHome();
    secrets.known.clear();
    expect(await endpoints.open(id)).toEqual(failure('tokenGone', { name: 'Home' }));
    secrets.failed = failure('keychainClosed');
    expect(await endpoints.open(id)).toEqual(failure('keychainClosed'));
    expect((await endpoints.setToken(id, 'other-token')).ok).toBe(false);
  });

  it('is not flagged if it could not be stored', async () => {
    const { endpoints, secrets, store } = parley();
    const { id } = value(await endpoints.put(draft));
    secrets.failed = failure('keychainClosed');
    expect((await endpoints.setToken(id, token)).ok).toBe(false);
    expect(store.get().endpoints.list[1]?.hasToken).toBe(false);
  });

  it('is deleted if its server changes while it is stored', async () => {
    const { endpoints, secrets, store } = parley();
    const { id } = value(await endpoints.put(draft));
    const setting = endpoints.setToken(id, token);
    await endpoints.put({ ...draft, id, url: 'wss://evil.lan' });
    expect((await setting).ok).toBe(false);
    expect([secrets.known.size, store.get().endpoints.list[1]?.hasToken]).toEqual([0, false]);
  });

  it('is used for a draft only while the server stays the same', async () => {
    const { endpoints, id, store } = await withHome();
    const tokenFor = async (fields: object, given?: string) =>
      value(await endpoints.openDraft({ ...draft, id, ...fields }, given)).endpoint?.token;
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

it('a second Parley on the machine has the servers and their tokens', async () => {
  const { store, disk, secrets, id } = await withHome();
  await store.settled();
  const other = parley(disk, secrets);
  expect(value(await other.endpoints.open(id)).endpoint?.token).toBe(token);
  expect(other.endpoints.tokenStorage()).toBe('keychain');
});
