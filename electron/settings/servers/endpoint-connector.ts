import type { Outcome } from '../../../shared/errors/app-error.ts';
import { openOnce } from '../../../shared/lifetime.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { Sockets } from '../../../shared/ports/sockets.ts';
import type { ClientCodec } from '../../../shared/protocol/client-codec.ts';
import type { Mode } from '../../../shared/protocol/realtime-api.ts';
import type { EndpointVerdict } from '../../../shared/settings/connection-settings.ts';
import type { ProfileDraft } from '../../../shared/settings/endpoint-profile.ts';
import type { Endpoint } from '../../../shared/settings/endpoint.ts';
import type { EndpointStore, OpenedEndpoint } from './endpoint-store.ts';
import { testEndpoint } from './test-endpoint.ts';

export interface ConnectedEndpoint extends OpenedEndpoint {
  readonly sockets: Sockets;
}

interface Deps {
  readonly endpoints: Pick<EndpointStore, 'open' | 'openDraft'>;
  readonly embeddedGateway: () => Promise<Outcome<Sockets>>;
  readonly connectTo: (endpoint: Endpoint) => Sockets;
  /** Lets the inspector see what passes; nothing of `endpoint` that is secret. */
  readonly watchSockets?:
    | ((sockets: Sockets, endpoint: Endpoint | undefined) => Sockets)
    | undefined;
  readonly clock: Clock;
  readonly codec: Pick<ClientCodec, 'decodeServerEvent'>;
}

/** From a server that a person has chosen, or is filling in, to sockets that lead there. */
export class EndpointConnector {
  readonly #deps: Deps;
  /** One for all: a gateway serves many, and each would have its own recorded speech in memory. */
  readonly #demonstration = openOnce(
    async (): Promise<Outcome<Sockets>> => {
      const gateway = await this.#deps.embeddedGateway();
      return gateway.ok ? { ok: true, value: this.#watched(gateway.value) } : gateway;
    },
    ({ ok }) => ok,
  );

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The server's sockets, or those of the demonstration. */
  readonly connect = async (id?: string): Promise<Outcome<ConnectedEndpoint>> =>
    this.#connected(await this.#deps.endpoints.open(id));

  /** Tries a server that is being filled in; the demonstration by its id. */
  readonly test = async (
    server: ProfileDraft | { readonly id: string },
    mode: Mode,
    token?: string,
  ): Promise<EndpointVerdict> => {
    const { endpoints, clock, codec } = this.#deps;
    const opening =
      'url' in server ? endpoints.openDraft(server, token) : endpoints.open(server.id);
    const found = await this.#connected(await opening);
    if (!found.ok) return { ok: false, kind: 'unreachable', error: found.error };
    return testEndpoint({ sockets: found.value.sockets, mode, clock, codec });
  };

  async #connected(opened: Outcome<OpenedEndpoint>): Promise<Outcome<ConnectedEndpoint>> {
    if (!opened.ok) return opened;
    const { endpoint } = opened.value;
    const sockets =
      endpoint === undefined
        ? await this.#demonstration()
        : { ok: true as const, value: this.#watched(this.#deps.connectTo(endpoint), endpoint) };
    if (!sockets.ok) return sockets;
    return { ok: true, value: { ...opened.value, sockets: sockets.value } };
  }

  #watched(sockets: Sockets, endpoint?: Endpoint): Sockets {
    return this.#deps.watchSockets?.(sockets, endpoint) ?? sockets;
  }
}
