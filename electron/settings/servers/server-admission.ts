import { done, failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { Confirmation } from '../../../shared/ports/desktop.ts';
import {
  type EndpointProfile,
  parseProfile,
  type ProfileDraft,
  serverOrigin,
} from '../../../shared/settings/connection-settings.ts';
import {
  hostAndPort,
  isLoopbackHost,
  proxyAddress,
  parseProxySetting,
} from '../../../shared/settings/proxy-address.ts';
import type { SettingsStore } from '../settings-store.ts';

interface Deps {
  readonly settings: Pick<SettingsStore, 'get'>;
  /** Omitted if the host has no dialog outside the page; then every server is admitted. */
  readonly confirm: Confirmation | undefined;
}

/** Asks the user before a page connects to an unknown server: a compromised page could send speech anywhere. */
export class ServerAdmission {
  readonly #deps: Deps;
  /** Servers and proxies admitted in this run, so saving a tested server does not ask again. */
  readonly #admitted = new Set<string>();
  #asking: { readonly server: string; readonly answer: Promise<boolean> } | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  readonly admit = async (given: ProfileDraft): Promise<Outcome<undefined>> => {
    // An empty fingerprint is stored as none.
    const draft = given.fingerprint === '' ? { ...given, fingerprint: undefined } : given;
    const server = serverOrigin(draft);
    // An invalid address gets its error when connecting.
    if (server === undefined || isLoopbackServer(server)) return done;
    if (!this.#isKnown(server)) {
      if (!(await this.#ask(server))) return failure('serverNotConfirmed', { server });
      this.#admitted.add(server);
    }
    return this.#admitFingerprint(server, draft);
  };

  /** A compromised page could otherwise make Parley trust whoever can redirect its connection. */
  async #admitFingerprint(server: string, draft: ProfileDraft): Promise<Outcome<undefined>> {
    const fingerprint = fingerprintOf(draft);
    // The user's consent to use the server without a fingerprint ends when it gets one.
    if (fingerprint !== undefined) this.#admitted.delete(withoutFingerprint(server));
    const known = this.#deps.settings
      .get()
      .endpoints.list.filter((profile) => serverOrigin(profile) === server)
      .map(fingerprintOf);
    // A page could remove the server and add it again without the fingerprint.
    const hadOne = [...this.#admitted].some((each) => each.startsWith(`${server}\n`));
    const isNew = known.length === 0 && fingerprint === undefined && !hadOne;
    const shown = fingerprint === undefined ? server : `${server}\n${fingerprint}`;
    const asked = fingerprint === undefined ? withoutFingerprint(server) : shown;
    if (isNew || known.includes(fingerprint) || this.#admitted.has(asked)) return done;
    const what = fingerprint === undefined ? 'noFingerprint' : 'newCertificate';
    if (!(await this.#ask(shown, what))) return failure('fingerprintNotConfirmed', { server });
    this.#admitted.add(asked);
    return done;
  }

  /** A compromised page could otherwise route unencrypted traffic through any proxy. */
  readonly admitProxy = async (address: string): Promise<Outcome<undefined>> => {
    const proxy = parseProxySetting(address);
    if (proxy === undefined || isLoopbackHost(proxy.host)) return done;
    const shown = proxyAddress(proxy);
    const known = this.#deps.settings.get().proxy.address === shown || this.#admitted.has(shown);
    if (known) return done;
    if (!(await this.#ask(shown, 'newProxy')))
      return failure('proxyNotConfirmed', { proxy: hostAndPort(proxy) });
    this.#admitted.add(shown);
    return done;
  };

  #isKnown(server: string): boolean {
    const isSameServer = (profile: EndpointProfile): boolean => serverOrigin(profile) === server;
    return (
      this.#admitted.has(server) || this.#deps.settings.get().endpoints.list.some(isSameServer)
    );
  }

  /** One question at a time: another server is refused meanwhile, so no page can flood the user with dialogs. */
  async #ask(server: string, what: keyof Confirmation = 'newServer'): Promise<boolean> {
    const { confirm, settings } = this.#deps;
    if (confirm === undefined) return true;
    if (this.#asking !== undefined)
      return this.#asking.server === server && (await this.#asking.answer);
    const answer = confirm[what](server, settings.get().appearance.language);
    this.#asking = { server, answer };
    try {
      return await answer;
    } finally {
      this.#asking = undefined;
    }
  }
}

const withoutFingerprint = (server: string): string => `${server} without a fingerprint`;

/** The trusted fingerprint in the form that is compared; undefined without a valid one. */
function fingerprintOf(profile: ProfileDraft | EndpointProfile): string | undefined {
  const endpoint = parseProfile(profile);
  return endpoint.ok ? endpoint.value.fingerprint : undefined;
}

/** Excludes other notations of the IP address, and `.localhost` names, which some systems resolve on the network. */
const loopbackOrigin = /^wss?:\/\/(localhost|\[::1\]|127(\.\d{1,3}){3})(:\d+)?$/;

/** Whether an origin (scheme, host, port) is on this machine. */
export function isLoopbackServer(origin: string): boolean {
  return loopbackOrigin.test(origin);
}
