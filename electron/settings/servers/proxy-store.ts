import { failure, type Failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { SerialQueue } from '../../../shared/lifetime.ts';
import type { ResolveSystemProxy, Proxies } from '../../../shared/ports/sockets.ts';
import { parseJsonObject } from '../../../shared/protocol/json.ts';
import type { ProxyDraft, ProxySettings } from '../../../shared/settings/connection-settings.ts';
import {
  hostAndPort,
  type Proxy,
  proxyAddress,
  type ProxyLogin,
  type ProxyRoute,
  parseProxySetting,
} from '../../../shared/settings/proxy-address.ts';
import type { Settings } from '../../../shared/settings/settings.ts';
import { utf8Length } from '../../../shared/text.ts';
import type { SettingsStore } from '../settings-store.ts';
import type { Secrets } from '../../../shared/ports/secrets.ts';

/** A command's override of the proxy settings. */
export type ProxyChoice = 'system' | 'none' | Proxy;

interface Deps {
  readonly store: Pick<SettingsStore, 'get' | 'edit' | 'listen'>;
  readonly secrets: Secrets;
  readonly askSystem: ResolveSystemProxy;
}

/** The key of the proxy's login; server ids have no slash. */
const key = 'proxy/login';

/** The longest name and the longest password in bytes, as SOCKS allows. */
const maxBytes = 255;

/** The proxy of the settings together with its login, which is stored separately. */
export class ProxyStore {
  readonly #deps: Deps;
  readonly #tasks = new SerialQueue();
  readonly #stop: () => void;

  constructor(deps: Deps) {
    this.#deps = deps;
    // Removes a login that is no longer used.
    this.#stop = deps.store.listen((event) => {
      if (event.kind !== 'changed') return;
      if (event.before.proxy.hasLogin && !event.settings.proxy.hasLogin)
        void this.#tasks.run(() => deps.secrets.delete(key));
    });
  }

  /** Saves the proxy. A login from the address or the fields goes to the secret storage. */
  readonly set = async ({ address, name, password }: ProxyDraft): Promise<Outcome<Settings>> => {
    const proxy = parseProxySetting(address);
    if (proxy === undefined) return failure('proxyAddressForm');
    const typed = name === '' && password === '' ? undefined : { name, password };
    const login = typed ?? proxy.login;
    const fault = login === undefined ? undefined : findFault(login);
    return fault ?? this.#tasks.run(() => this.#put(proxyAddress(proxy), login));
  };

  readonly forgetLogin = (): Outcome<Settings> =>
    this.#edit((before) => ({ ...before, hasLogin: false }));

  readonly proxies = (override?: ProxyChoice): Proxies => ({
    routesTo: async (url) => {
      const { way, address } = this.#deps.store.get().proxy;
      const choice = override ?? way;
      if (choice === 'none') return { ok: true, value: ['direct'] };
      if (choice === 'system') return { ok: true, value: await this.#deps.askSystem(url) };
      return choice === 'address' ? this.#withLogin(address) : { ok: true, value: [choice] };
    },
  });

  readonly end = async (): Promise<void> => {
    await this.#tasks.settled();
    this.#stop();
  };

  #edit(change: (proxy: ProxySettings) => ProxySettings): Outcome<Settings> {
    return this.#deps.store.edit((settings) => ({
      ok: true,
      value: { ...settings, proxy: change(settings.proxy) },
    }));
  }

  async #put(address: string, login: ProxyLogin | undefined): Promise<Outcome<Settings>> {
    if (login !== undefined) {
      // The login is stored with the proxy's address, so an address edited in the settings file does not receive it.
      const stored = await this.#deps.secrets.set(key, JSON.stringify({ address, ...login }));
      if (!stored.ok) return stored;
    }
    return this.#edit((before) => ({
      way: 'address',
      address,
      hasLogin: login !== undefined || (before.address === address && before.hasLogin),
    }));
  }

  async #withLogin(address: string): Promise<Outcome<readonly ProxyRoute[]>> {
    const { store, secrets } = this.#deps;
    const proxy = parseProxySetting(address);
    if (proxy === undefined) return failure('proxyAddressForm');
    if (!store.get().proxy.hasLogin) return { ok: true, value: [proxy] };
    await this.#tasks.settled();
    const stored = await secrets.get(key);
    // The storage's own message is about tokens.
    if (!stored.ok) return failure('proxyLoginSealed', { proxy: hostAndPort(proxy) });
    const login = parseLogin(stored.value, address);
    return login === undefined
      ? failure('proxyLoginGone', { proxy: hostAndPort(proxy) })
      : { ok: true, value: [{ ...proxy, login }] };
  }
}

function findFault({ name, password }: ProxyLogin): Failure | undefined {
  const isTooLong = [name, password].some((text) => utf8Length(text) > maxBytes);
  // oxlint-disable-next-line no-control-regex
  const hasControls = /[\u0000-\u001f\u007f]/u.test(name + password);
  const isMalformed = name === '' || name.includes(':') || hasControls;
  return isTooLong || isMalformed ? failure('proxyLoginForm') : undefined;
}

/** Undefined for another proxy's login. */
function parseLogin(text: string | undefined, address: string): ProxyLogin | undefined {
  const stored = parseJsonObject(text ?? '') ?? {};
  const { name, password } = stored;
  if (stored['address'] !== address) return undefined;
  return typeof name === 'string' && typeof password === 'string' ? { name, password } : undefined;
}
