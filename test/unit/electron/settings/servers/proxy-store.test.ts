import { beforeEach, describe, expect, it } from 'vitest';
import { ProxyStore } from '../../../../../electron/settings/servers/proxy-store.ts';
import { SettingsStore } from '../../../../../electron/settings/settings-store.ts';
import { failure } from '../../../../../shared/errors/app-error.ts';
import type { ProxyRoute } from '../../../../../shared/settings/proxy-address.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeSecrets } from '../../../../fakes/fake-secrets.ts';
import { FakeStateFile } from '../../../../fakes/fake-state-file.ts';

const url = 'wss://server.example/v1/realtime';
const address = 'http://proxy.example:3128';
const place = { scheme: 'http', host: 'proxy.example', port: 3128 };
const noLogin = { name: '', password: '' };

let files: Map<string, string>;
let store: SettingsStore;
let secrets: FakeSecrets;
let proxy: ProxyStore;
let asked: string[];

beforeEach(() => {
  files = new Map();
  store = new SettingsStore({
    file: new FakeStateFile(files, 'settings'),
    clock: new FakeClock(),
  });
  secrets = new FakeSecrets();
  asked = [];
  const system: readonly ProxyRoute[] = [{ scheme: 'socks5', host: 'system', port: 1 }];
  proxy = new ProxyStore({
    store,
    secrets,
    askSystem: (about) => {
      asked.push(about);
      return Promise.resolve(system);
    },
  });
});

const routes = () => proxy.proxies().routesTo(url);
const routesOf = (...value: unknown[]) => ({ ok: true, value });

describe('the route to a server', () => {
  it('is the system’s by default, asked per connection', async () => {
    const proxies = proxy.proxies();
    const found = routesOf({ scheme: 'socks5', host: 'system', port: 1 });
    expect(await proxies.routesTo(url)).toEqual(found);
    expect(await proxies.routesTo(url)).toEqual(found);
    expect(asked).toEqual([url, url]);
  });

  it('changes to direct or to an address with the next connection', async () => {
    const proxies = proxy.proxies();
    store.change({ proxy: { way: 'none' } });
    expect(await proxies.routesTo(url)).toEqual(routesOf('direct'));
    await proxy.set({ address, ...noLogin });
    expect(await proxies.routesTo(url)).toEqual(routesOf(place));
    expect(asked).toEqual([]);
  });

  it('is that of the command if it names one', async () => {
    await proxy.set({ address, ...noLogin });
    const named = { scheme: 'http', host: 'other', port: 2 } as const;
    expect(await proxy.proxies(named).routesTo(url)).toEqual(routesOf(named));
    expect(await proxy.proxies('none').routesTo(url)).toEqual(routesOf('direct'));
  });

  it('is missing if an address is needed and absent', async () => {
    store.change({ proxy: { way: 'address' } });
    expect(await routes()).toEqual(failure('proxyAddressForm'));
  });
});

describe('a proxy login', () => {
  const login = { name: 'ann', password: 'hush-hush' };

  it.each([
    ['in separate fields', { address, ...login }],
    ['in the address', { address: 'HTTP://ann:hush-hush@proxy.example:3128/', ...noLogin }],
  ])('is stored with the tokens and used if it is typed %s', async (_where, draft) => {
    expect(await proxy.set(draft)).toMatchObject({
      ok: true,
      value: { proxy: { way: 'address', address, hasLogin: true } },
    });
    await store.settled();
    expect([...files.values()].join('\n')).not.toContain('hush');
    expect([...secrets.known.keys()]).toEqual(['proxy/login']);
    expect(await routes()).toEqual(routesOf({ ...place, login }));
  });

  it('stays with its proxy', async () => {
    await proxy.set({ address, ...login });
    await proxy.set({ address, ...noLogin });
    expect(await routes()).toEqual(routesOf({ ...place, login }));
    await proxy.set({ address: 'http://other:1', ...noLogin });
    expect(await routes()).toEqual(routesOf({ scheme: 'http', host: 'other', port: 1 }));
    await proxy.end();
    expect(secrets.known.size).toBe(0);
  });

  it('is not sent to a proxy that was edited by hand', async () => {
    await proxy.set({ address, ...login });
    store.change({ proxy: { address: 'http://other:1' } });
    expect(await routes()).toEqual(failure('proxyLoginGone', { proxy: 'other:1' }));
  });

  it('is deleted on request and by a reset', async () => {
    await proxy.set({ address, ...login });
    proxy.forgetLogin();
    expect(await routes()).toEqual(routesOf(place));
    await proxy.set({ address, ...login });
    store.reset('proxy');
    await proxy.end();
    expect(secrets.known.size).toBe(0);
  });

  it.each([
    ['a:b', 'x'],
    ['', 'x'],
    ['ann', 'line\nfeed'],
    ['ann', 'é'.repeat(128)],
  ])('is refused if it is malformed: %j', async (name, password) => {
    expect(await proxy.set({ address, name, password })).toEqual(failure('proxyLoginForm'));
    expect(store.get().proxy.way).toBe('system');
    expect(secrets.known.size).toBe(0);
  });

  it('changes nothing if the keychain refuses it', async () => {
    secrets.failed = failure('keychainAway');
    expect(await proxy.set({ address, ...login })).toEqual(failure('keychainAway'));
    expect(store.get().proxy.way).toBe('system');
  });

  it('is reported if the keychain cannot decrypt it', async () => {
    await proxy.set({ address, ...login });
    secrets.failed = failure('keychainElsewhere');
    expect(await routes()).toEqual(failure('proxyLoginSealed', { proxy: 'proxy.example:3128' }));
  });

  it('is ignored and not shown if it is in the settings file', () => {
    files.set('settings.json', JSON.stringify({ proxy: { address: 'http://ann:hush@proxy:1' } }));
    expect(store.get().proxy.address).toBe('');
    expect(JSON.stringify(store.problems())).not.toContain('hush');
  });
});

it('an invalid proxy address is refused with a message', async () => {
  expect(await proxy.set({ address: 'proxy.example', ...noLogin })).toEqual(
    failure('proxyAddressForm'),
  );
});
