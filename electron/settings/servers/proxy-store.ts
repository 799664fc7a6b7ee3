import { failure, type Failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { SerialQueue } from '../../../shared/lifetime.ts';
import type { AskSystemProxy, Proxies } from '../../../shared/ports/sockets.ts';
import { parseJsonObject } from '../../../shared/protocol/json.ts';
import type { ProxyDraft } from '../../../shared/settings/connection-settings.ts';
import {
  type Proxy,
  proxyAddress,
  type ProxyLogin,
  proxyName,
  type ProxyRoute,
  readSetProxy,
} from '../../../shared/settings/proxy-address.ts';
import type { Settings } from '../../../shared/settings/settings.ts';
import type { SettingsStore } from '../settings-store.ts';
import type { Secrets } from './secrets.ts';

/** What a command may say in the place of the settings. */
export type ProxyChoice = 'system' | 'none' | Proxy;

export interface ProxyStore {
  /** Uses the proxy from now on. A name and a password go where tokens are, wherever in the draft they stand. */
  readonly set: (draft: ProxyDraft) => Promise<Outcome<Settings>>;
  readonly forgetLogin: () => Outcome<Settings>;
  /** As it is set, or as it was said. */
  readonly proxies: (said?: ProxyChoice) => Proxies;
  readonly end: () => Promise<void>;
}

interface Deps {
  readonly store: Pick<SettingsStore, 'get' | 'edit' | 'listen'>;
  readonly secrets: Secrets;
  readonly askSystem: AskSystemProxy;
}

/** Beside the tokens; no server's id has a slash in it. */
const key = 'proxy/login';

/** What SOCKS can say, and more than anybody types. */
const maxBytes = 255;

/** The proxy among the settings together with its name and password, which are not. */
export function createProxyStore({ store, secrets, askSystem }: Deps): ProxyStore {
  const tasks = new SerialQueue();

  // However it went, with its address, its tokens or by a reset: what nobody can use any more is not kept.
  const stop = store.listen((event) => {
    if (event.kind !== 'changed') return;
    if (event.before.proxy.hasLogin && !event.settings.proxy.hasLogin)
      void tasks.run(() => secrets.delete(key));
  });

  const edited = (change: (proxy: Settings['proxy']) => Settings['proxy']): Outcome<Settings> =>
    store.edit((settings) => ({
      ok: true,
      value: { ...settings, proxy: change(settings.proxy) },
    }));

  const put = async (
    address: string,
    login: ProxyLogin | undefined,
  ): Promise<Outcome<Settings>> => {
    if (login !== undefined) {
      // By the address that it was given for: one that is written into the settings by hand gets it not.
      const kept = await secrets.set(key, JSON.stringify({ address, ...login }));
      if (!kept.ok) return kept;
    }
    return edited((before) => ({
      way: 'address',
      address,
      hasLogin: login !== undefined || (before.address === address && before.hasLogin),
    }));
  };

  const withLogin = async (address: string): Promise<Outcome<readonly ProxyRoute[]>> => {
    const proxy = readSetProxy(address);
    if (proxy === undefined) return failure('proxyAddressForm');
    if (!store.get().proxy.hasLogin) return { ok: true, value: [proxy] };
    await tasks.settled();
    const kept = await secrets.get(key);
    // What it says itself speaks of tokens.
    if (!kept.ok) return failure('proxyLoginSealed', { proxy: proxyName(proxy) });
    const login = loginIn(kept.value, address);
    return login === undefined
      ? failure('proxyLoginGone', { proxy: proxyName(proxy) })
      : { ok: true, value: [{ ...proxy, login }] };
  };

  return {
    set: async ({ address, name, password }) => {
      const proxy = readSetProxy(address);
      if (proxy === undefined) return failure('proxyAddressForm');
      const typed = name === '' && password === '' ? undefined : { name, password };
      const login = typed ?? proxy.login;
      const fault = login === undefined ? undefined : faultOf(login);
      return fault ?? tasks.run(() => put(proxyAddress(proxy), login));
    },
    forgetLogin: () => edited((before) => ({ ...before, hasLogin: false })),
    proxies: (said) => ({
      routesTo: async (url) => {
        const { way, address } = store.get().proxy;
        const choice = said ?? way;
        if (choice === 'none') return { ok: true, value: ['direct'] };
        if (choice === 'system') return { ok: true, value: await askSystem(url) };
        return choice === 'address' ? withLogin(address) : { ok: true, value: [choice] };
      },
    }),
    end: async () => {
      await tasks.settled();
      stop();
    },
  };
}

function faultOf({ name, password }: ProxyLogin): Failure | undefined {
  const tooLong = [name, password].some((text) => bytesOf(text) > maxBytes);
  // oxlint-disable-next-line no-control-regex
  const wrong = name === '' || name.includes(':') || /[\u0000-\u001f\u007f]/u.test(name + password);
  return tooLong || wrong ? failure('proxyLoginForm') : undefined;
}

/** As UTF-8. */
function bytesOf(text: string): number {
  let bytes = 0;
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    bytes += 1 + Number(code > 0x7f) + Number(code > 0x7ff) + Number(code > 0xffff);
  }
  return bytes;
}

/** Nothing where it is of another proxy. */
function loginIn(text: string | undefined, address: string): ProxyLogin | undefined {
  const kept = parseJsonObject(text ?? '') ?? {};
  const { name, password } = kept;
  if (kept['address'] !== address) return undefined;
  return typeof name === 'string' && typeof password === 'string' ? { name, password } : undefined;
}
