import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { Confirmation } from '../../../shared/ports/desktop.ts';
import {
  type EndpointProfile,
  type ProfileDraft,
  serverOriginOf,
} from '../../../shared/settings/endpoint-profile.ts';
import {
  hostAndPort,
  isLoopbackHost,
  proxyAddress,
  readSetProxy,
} from '../../../shared/settings/proxy-address.ts';
import type { SettingsStore } from '../settings-store.ts';

interface Deps {
  readonly settings: Pick<SettingsStore, 'get'>;
  /** Missing where nobody can be asked past the page. */
  readonly confirm: Confirmation | undefined;
}

/**
 * Before a page has Parley connect to a machine that was not among the servers, the person is asked: a page
 * that was taken over could send all that is said, and the screen, wherever it likes.
 */
export class ServerAdmission {
  readonly #deps: Deps;
  /** As long as Parley runs: what was tried a moment ago is saved without another question. */
  readonly #admitted = new Set<string>();
  #asking: { readonly server: string; readonly answer: Promise<boolean> } | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  readonly admit = async (draft: ProfileDraft): Promise<Outcome<undefined>> => {
    const server = serverOriginOf({ ...draft, id: draft.id ?? '', hasToken: false });
    // An address that is none is refused in words by whoever would connect.
    if (server === undefined || this.#isKnown(server)) return { ok: true, value: undefined };
    if (!(await this.#ask(server))) return failure('serverNotConfirmed', { server });
    this.#admitted.add(server);
    return { ok: true, value: undefined };
  };

  /** A page that was taken over could have all that is said without TLS go by whomever it likes. */
  readonly admitProxy = async (address: string): Promise<Outcome<undefined>> => {
    const proxy = readSetProxy(address);
    if (proxy === undefined || isLoopbackHost(proxy.host)) return { ok: true, value: undefined };
    const shown = proxyAddress(proxy);
    const known = this.#deps.settings.get().proxy.address === shown || this.#admitted.has(shown);
    if (known) return { ok: true, value: undefined };
    if (!(await this.#ask(shown, 'newProxy')))
      return failure('proxyNotConfirmed', { proxy: hostAndPort(proxy) });
    this.#admitted.add(shown);
    return { ok: true, value: undefined };
  };

  #isKnown(server: string): boolean {
    const is = (profile: EndpointProfile): boolean => serverOriginOf(profile) === server;
    return (
      isLoopbackServer(server) ||
      this.#admitted.has(server) ||
      this.#deps.settings.get().endpoints.list.some(is)
    );
  }

  /** One question at a time: a second server meanwhile is refused, and nobody is buried in boxes. */
  async #ask(server: string, what: keyof Confirmation = 'newServer'): Promise<boolean> {
    const { confirm, settings } = this.#deps;
    if (confirm === undefined) return true;
    if (this.#asking !== undefined) {
      return this.#asking.server === server && (await this.#asking.answer);
    }
    const answer = confirm[what](server, settings.get().appearance.language);
    this.#asking = { server, answer };
    try {
      return await answer;
    } finally {
      this.#asking = undefined;
    }
  }
}

/**
 * A name under `.localhost` is not among them: not every system keeps it from being asked of the network.
 * Neither is any other way to write the same numbers; whoever is asked once too often loses nothing.
 */
const onThisMachine = /^wss?:\/\/(localhost|\[::1\]|127(\.\d{1,3}){3})(:\d+)?$/;

/** Whether what is sent to a server, given as its scheme, name and port, stays on this machine. */
export function isLoopbackServer(origin: string): boolean {
  return onThisMachine.test(origin);
}
