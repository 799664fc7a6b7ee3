import { beforeEach, describe, expect, it } from 'vitest';
import {
  isLoopbackServer,
  ServerAdmission,
} from '../../../../../electron/settings/servers/server-admission.ts';
import { done, failure } from '../../../../../shared/errors/app-error.ts';
import { defaultSettings } from '../../../../../shared/settings/settings.ts';
import { deferred } from '../../../../fakes/promises.ts';
import { ServerPaces } from '../../../../../electron/settings/servers/server-facts.ts';
import { fakeServerFacts } from '../../../../fakes/fake-server-facts.ts';
import { ProxyStore } from '../../../../../electron/settings/servers/proxy-store.ts';
import { SettingsStore } from '../../../../../electron/settings/settings-store.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeSecrets } from '../../../../fakes/fake-secrets.ts';
import { FakeStateFile } from '../../../../fakes/fake-state-file.ts';
import {
  computerProfile,
  embeddedProfile,
  type EndpointProfile,
  type ProfileDraft,
} from '../../../../../shared/settings/connection-settings.ts';
import type { ProxyRoute } from '../../../../../shared/settings/proxy-address.ts';

const draft: ProfileDraft = {
  name: 'Hosted',
  kind: 'hosted',
  url: 'wss://one.example.invalid/v1/realtime',
  dialect: 'auto',
  headers: {},
  query: {},
};

/** An admission whose user always gives this answer, and the questions that the user was asked. */
function openAdmission(answer: boolean | Promise<boolean>, list: readonly EndpointProfile[] = []) {
  const questions: string[] = [];
  const proxy = { ...defaultSettings.proxy, address: 'http://known.example:1' };
  const settings = { ...defaultSettings, proxy, endpoints: { chosen: 'embedded', list } };
  const answered = (shown: string): Promise<boolean> => {
    questions.push(shown);
    return Promise.resolve(answer);
  };
  const { admit, admitProxy } = new ServerAdmission({
    settings: { get: () => settings },
    confirm: {
      newServer: answered,
      newCertificate: answered,
      noFingerprint: answered,
      newProxy: answered,
      newToolServer: answered,
      newToolServers: answered,
    },
  });
  return { admit, admitProxy, questions };
}

describe('a new server', () => {
  it('must be confirmed by its scheme and host, once per run', async () => {
    const { admit, questions } = openAdmission(true);
    expect(await admit(draft)).toEqual(done);
    expect(await admit({ ...draft, url: 'wss://ONE.example.invalid:443/elsewhere' })).toEqual(done);
    expect(questions).toEqual(['wss://one.example.invalid']);
  });

  it('needs a confirmation even if it replaces a known server', async () => {
    const known = { ...draft, id: 'server-1', hasToken: true };
    const { admit, questions } = openAdmission(false, [known]);
    const moved = { ...known, url: 'wss://two.example.invalid/' };
    const server = 'wss://two.example.invalid';
    expect(await admit(moved)).toEqual(failure('serverNotConfirmed', { server }));
    expect(questions).toEqual([server]);
  });

  it('is one with another port or another scheme', async () => {
    const { admit, questions } = openAdmission(true, [
      { ...draft, id: 'server-1', hasToken: false },
    ]);
    await admit({ ...draft, url: 'wss://one.example.invalid:444/' });
    await admit({ ...draft, url: 'ws://one.example.invalid/' });
    expect(questions).toEqual(['wss://one.example.invalid:444', 'ws://one.example.invalid']);
  });

  it('waits for a pending question about itself, and is refused during a question about another server', async () => {
    const answered = deferred();
    const { admit, questions } = openAdmission(answered.promise.then(() => true));
    const both = [admit(draft), admit(draft)];
    expect(await admit({ ...draft, url: 'wss://two.example.invalid/' })).toMatchObject({
      ok: false,
    });
    answered.resolve();
    expect(await Promise.all(both)).toEqual([done, done]);
    expect(questions).toEqual(['wss://one.example.invalid']);
  });
});

describe('the fingerprint of a certificate', () => {
  const server = 'wss://one.example.invalid';
  const fingerprint = (byte: string): string => Array.from({ length: 32 }, () => byte).join(':');
  const known = { ...draft, id: 'server-1', hasToken: false, fingerprint: fingerprint('AB') };

  it('must be confirmed if it is new for a known server, once per run', async () => {
    const { admit, questions } = openAdmission(true, [known]);
    const changed = { ...known, fingerprint: 'cd'.repeat(32) };
    expect(await admit(changed)).toEqual(done);
    expect(await admit(changed)).toEqual(done);
    expect(questions).toEqual([`${server}\n${fingerprint('CD')}`]);
  });

  it('is refused if the user does not confirm it', async () => {
    const { admit } = openAdmission(false, [known]);
    const changed = { ...known, fingerprint: fingerprint('CD') };
    expect(await admit(changed)).toEqual(failure('fingerprintNotConfirmed', { server }));
  });

  it('is only removed from a known server after a confirmation', async () => {
    const removed = { ...known, fingerprint: '' };
    const refused = failure('fingerprintNotConfirmed', { server });
    expect(await openAdmission(false, [known]).admit(removed)).toEqual(refused);
    const { admit, questions } = openAdmission(true, [known]);
    expect(await admit(removed)).toEqual(done);
    expect(await admit({ ...known, fingerprint: undefined })).toEqual(done);
    expect(questions).toEqual([server]);
  });

  it('must be confirmed if a removed server is added again without it', async () => {
    const { admit, questions } = openAdmission(true);
    await admit(known);
    expect(await admit({ ...known, fingerprint: undefined })).toEqual(done);
    expect(questions).toEqual([server, `${server}\n${fingerprint('AB')}`, server]);
  });

  it('must be confirmed again if a server that had lost its fingerprint and got it back loses it once more', async () => {
    const { admit, questions } = openAdmission(true);
    const without = { ...known, fingerprint: undefined };
    for (const profile of [known, without, known, without]) await admit(profile);
    const first = [server, `${server}\n${fingerprint('AB')}`, server];
    expect(questions).toEqual([...first, server]);
  });

  it.each([
    ['it is the stored one in another notation', { fingerprint: `sha256:${'ab'.repeat(32)}` }],
    ['it is invalid, because it cannot be saved', { fingerprint: 'abc' }],
    [
      'the server is on this machine',
      { url: 'wss://localhost:8006', fingerprint: fingerprint('CD') },
    ],
  ])('needs no question if %s', async (_what, change) => {
    const { admit, questions } = openAdmission(false, [known]);
    expect(await admit({ ...known, ...change })).toEqual(done);
    expect(questions).toEqual([]);
  });
});

it.each([
  ['a known server', 'wss://known.example.invalid/other'],
  ['this machine', 'ws://127.0.0.1:8006/'],
  ['an invalid address, because it cannot be connected to', 'home'],
])('the admission of servers admits %s without a question', async (_what, url) => {
  const known = { ...draft, id: 'server-1', hasToken: false, url: 'wss://known.example.invalid/' };
  const { admit, questions } = openAdmission(false, [known]);
  expect(await admit({ ...draft, url })).toEqual(done);
  expect(questions).toEqual([]);
});

describe('a new proxy', () => {
  const address = 'http://a:secret@proxy.example:3128';

  it('must be confirmed without its login, once per run', async () => {
    const { admitProxy, questions } = openAdmission(true);
    expect(await admitProxy(address)).toEqual(done);
    expect(await admitProxy('http://PROXY.example:3128/')).toEqual(done);
    expect(questions).toEqual(['http://proxy.example:3128']);
  });

  it('is refused if the user does not confirm it, unless it is known, local or invalid', async () => {
    const { admitProxy } = openAdmission(false);
    expect(await admitProxy(address)).toEqual(
      failure('proxyNotConfirmed', { proxy: 'proxy.example:3128' }),
    );
    const local = ['http://127.0.0.1:3128', 'socks5://localhost:1080'];
    for (const other of ['http://known.example:1', ...local, 'no proxy at all'])
      expect(await admitProxy(other)).toEqual(done);
  });
});

it.each([
  ['ws://localhost:8006', true],
  ['wss://127.0.0.1:1', true],
  ['ws://127.1.2.3', true],
  ['ws://[::1]:8006', true],
  ['ws://localhost.example.com', false],
  ['ws://127.0.0.1.example.com:80', false],
  ['ws://localhost:80@example.com', false],
  ['ws://example.com/ws://localhost', false],
  ['ws://parley.localhost', false],
  ['ws://0.0.0.0', false],
  ['ws://[::2]', false],
  ['ws://2130706433', false],
  ['http://localhost', false],
  ['', false],
])('%j is a server on this machine: %s', (origin, is) => {
  expect(isLoopbackServer(origin)).toBe(is);
});

const pace = { stepMs: 1000, typicalMs: 1040, spreadMs: 90, maxMs: 1300 };
const server = 'wss://a.example/v1/realtime';

it('a server’s pace is known in the next run, for that server only', () => {
  const memory = fakeServerFacts();
  new ServerPaces(memory).remember({ id: 'a', address: `${server}?token=secret` }, pace);
  const next = new ServerPaces(memory);
  expect(next.recall({ id: 'a', address: server })).toEqual(pace);
  const others = [{ id: 'b', address: 'wss://b.example/' }, { id: 'embedded' }];
  expect(others.map((other) => next.recall(other))).toEqual([undefined, undefined]);
});

it('the demonstration and the model on this computer have separate paces', () => {
  const paces = new ServerPaces(fakeServerFacts());
  paces.remember(embeddedProfile, pace);
  expect(paces.recall(embeddedProfile)).toEqual(pace);
  paces.remember(computerProfile, { ...pace, maxMs: 0 });
  expect(paces.recall(computerProfile)).toBeUndefined();
});

describe('proxies', () => {
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

    it('is the command’s own proxy if the command names one', async () => {
      await proxy.set({ address, ...noLogin });
      const named = { scheme: 'http', host: 'other', port: 2 } as const;
      expect(await proxy.proxies(named).routesTo(url)).toEqual(routesOf(named));
      expect(await proxy.proxies('none').routesTo(url)).toEqual(routesOf('direct'));
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

    it('is kept for the same proxy only', async () => {
      await proxy.set({ address, ...login });
      await proxy.set({ address, ...noLogin });
      store.change({ captions: { size: 40 } });
      expect(await routes()).toEqual(routesOf({ ...place, login }));
      await proxy.set({ address: 'http://other:1', ...noLogin });
      expect(await routes()).toEqual(routesOf({ scheme: 'http', host: 'other', port: 1 }));
      await proxy.end();
      expect(secrets.known.size).toBe(0);
    });

    it('is not sent to a proxy that was edited by hand, nor if it is incomplete', async () => {
      await proxy.set({ address, ...login });
      for (const stored of [{ name: 'ann' }, { password: 'x' }]) {
        secrets.known.set('proxy/login', JSON.stringify({ address, ...stored }));
        expect(await routes()).toEqual(failure('proxyLoginGone', { proxy: 'proxy.example:3128' }));
      }
      await proxy.set({ address, ...login });
      store.change({ proxy: { address: 'http://other:1' } });
      expect(await routes()).toEqual(failure('proxyLoginGone', { proxy: 'other:1' }));
      store.change({ proxy: { address: '' } });
      expect(await routes()).toEqual(failure('proxyAddressForm'));
    });

    it('is deleted on request and by a reset', async () => {
      await proxy.set({ address, name: 'ann', password: '' });
      expect(await routes()).toEqual(routesOf({ ...place, login: { name: 'ann', password: '' } }));
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
      expect(await proxy.set({ address: 'no', ...login })).toEqual(failure('proxyAddressForm'));
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
});
