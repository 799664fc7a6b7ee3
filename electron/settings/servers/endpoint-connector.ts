import {
  appError,
  type AppError,
  mapOutcome,
  type Outcome,
  refusedError,
} from '../../../shared/errors/app-error.ts';
import { openOnce } from '../../../shared/lifetime.ts';
import { type Clock, Timer } from '../../../shared/ports/clock.ts';
import type { Socket, SocketEnd, Sockets } from '../../../shared/ports/sockets.ts';
import type { ClientCodec } from '../../../shared/protocol/client-codec.ts';
import type { Mode, ServerEvent } from '../../../shared/protocol/realtime-api.ts';
import type {
  EndpointVerdict,
  VerdictKind,
  VerdictTimes,
  ProfileDraft,
} from '../../../shared/settings/connection-settings.ts';
import type { Endpoint } from '../../../shared/settings/endpoint.ts';
import { toOneLine } from '../../../shared/text.ts';
import type { EndpointStore, OpenedEndpoint } from './endpoint-store.ts';

export interface ConnectedEndpoint extends OpenedEndpoint {
  readonly sockets: Sockets;
}

interface Deps {
  readonly endpoints: Pick<EndpointStore, 'open' | 'openDraft'>;
  readonly embeddedGateway: () => Promise<Outcome<Sockets>>;
  /** Opens the model on this computer; resolves when it is loaded. */
  readonly computer: () => Promise<Outcome<Sockets>>;
  readonly connectTo: (endpoint: Endpoint) => Sockets;
  /** Wraps sockets for the inspector, which sees no secrets of `endpoint`. */
  readonly watchSockets: (sockets: Sockets, endpoint?: Endpoint) => Sockets;
  readonly clock: Clock;
  readonly codec: Pick<ClientCodec, 'decodeServerEvent'>;
}

/** Creates the sockets of a server that the user has chosen or is editing. */
export class EndpointConnector {
  readonly #deps: Deps;
  /** Opened once: one gateway serves all clients, and a second one would load the recorded speech again. */
  readonly #demonstration = openOnce(
    async (): Promise<Outcome<Sockets>> => {
      const gateway = await this.#deps.embeddedGateway();
      return mapOutcome(gateway, (sockets) => this.#deps.watchSockets(sockets));
    },
    ({ ok }) => ok,
  );

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  readonly connect = async (id?: string): Promise<Outcome<ConnectedEndpoint>> =>
    this.#connect(await this.#deps.endpoints.open(id));

  /** Tests a server that is being edited, or a stored or built-in one by id. */
  readonly test = async (
    server: ProfileDraft | { readonly id: string },
    mode: Mode,
    token?: string,
  ): Promise<EndpointVerdict> => {
    const { endpoints, clock, codec } = this.#deps;
    const opening =
      'url' in server ? endpoints.openDraft(server, token) : endpoints.open(server.id);
    const connected = await this.#connect(await opening);
    if (!connected.ok) return { ok: false, kind: 'unreachable', error: connected.error };
    return testEndpoint({ sockets: connected.value.sockets, mode, clock, codec });
  };

  async #connect(opened: Outcome<OpenedEndpoint>): Promise<Outcome<ConnectedEndpoint>> {
    if (!opened.ok) return opened;
    const found = await this.#openSockets(opened.value);
    return mapOutcome(found, (sockets) => ({ ...opened.value, sockets }));
  }

  async #openSockets({ profile, endpoint }: OpenedEndpoint): Promise<Outcome<Sockets>> {
    const { connectTo, computer, watchSockets } = this.#deps;
    if (endpoint !== undefined)
      return { ok: true, value: watchSockets(connectTo(endpoint), endpoint) };
    if (profile.kind !== 'computer') return this.#demonstration();
    return mapOutcome(await computer(), (sockets) => watchSockets(sockets));
  }
}

interface TestEndpointDeps {
  readonly sockets: Sockets;
  readonly mode: Mode;
  readonly clock: Clock;
  readonly codec: Pick<ClientCodec, 'decodeServerEvent'>;
}

/** Much longer than TCP, TLS and the upgrade usually take together. */
const openTimeoutMs = 8000;
/** A gateway sends the queue position or the admission as soon as the connection opens. */
const firstEventTimeoutMs = 5000;
const closeTimeoutMs = 1500;

/** Tests a server without a session: connects, waits for its first event, and disconnects. */
export function testEndpoint(deps: TestEndpointDeps): Promise<EndpointVerdict> {
  return new Promise((resolve) => new EndpointTest(deps, resolve).begin());
}

class EndpointTest {
  readonly #deps: TestEndpointDeps;
  readonly #resolve: (verdict: EndpointVerdict) => void;
  readonly #begunAt: number;
  #openedAt: number | undefined;
  #socket: Socket | undefined;
  #verdict: EndpointVerdict | undefined;
  readonly #timer: Timer;

  constructor(deps: TestEndpointDeps, resolve: (verdict: EndpointVerdict) => void) {
    this.#deps = deps;
    this.#resolve = resolve;
    this.#timer = new Timer(deps.clock);
    this.#begunAt = deps.clock.now();
  }

  begin(): void {
    this.#timer.set(openTimeoutMs, () => this.#decideSlow('testSlow', openTimeoutMs));
    this.#socket = this.#deps.sockets.connect(this.#deps.mode, {
      opened: () => this.#opened(),
      received: (text) => this.#received(text),
      ended: (end) => this.#finish(this.#verdict ?? verdictOnEnd(end)),
    });
  }

  #opened(): void {
    if (this.#verdict !== undefined) return;
    this.#openedAt = this.#deps.clock.now();
    this.#timer.set(firstEventTimeoutMs, () => this.#decideSlow('testSilent', firstEventTimeoutMs));
  }

  #received(text: string | undefined): void {
    const event: ServerEvent =
      text === undefined
        ? { kind: 'malformed', problem: 'binary' }
        : this.#deps.codec.decodeServerEvent(text);
    const verdict = verdictOnEvent(event, this.#times());
    if (verdict !== undefined) this.#decide(verdict);
  }

  #times(): VerdictTimes {
    const now = this.#deps.clock.now();
    const opened = this.#openedAt ?? now;
    return {
      connectMs: Math.round(opened - this.#begunAt),
      firstMessageMs: Math.round(now - opened),
    };
  }

  #decideSlow(code: 'testSlow' | 'testSilent', timeoutMs: number): void {
    this.#decide(failedVerdict('slow', appError(code, { seconds: timeoutMs / 1000 })));
  }

  /** Sets the verdict and closes the connection. */
  #decide(verdict: EndpointVerdict): void {
    if (this.#verdict !== undefined) return;
    this.#verdict = verdict;
    this.#timer.set(closeTimeoutMs, () => {
      this.#socket?.terminate();
      this.#finish(verdict);
    });
    this.#socket?.close(1000, '');
  }

  #finish(verdict: EndpointVerdict): void {
    this.#timer.stop();
    this.#resolve(verdict);
  }
}

type FailedVerdict = Extract<EndpointVerdict, { ok: false }>;

/** Judges the first event of a server. Unknown events are ignored, because newer servers have more. */
function verdictOnEvent(event: ServerEvent, times: VerdictTimes): EndpointVerdict | undefined {
  switch (event.kind) {
    case 'queued':
      return { ok: true, ...times, position: event.position };
    case 'admitted':
    case 'created':
      return { ok: true, ...times };
    case 'error':
      return failedVerdict('busy', appError('testBusy', {}, serverDetail(event.message)));
    case 'closed':
      return failedVerdict('busy', appError('testEnds', {}, serverDetail(event.reason)));
    case 'unknown':
      return undefined;
    case 'listen':
    case 'output':
    case 'done':
    case 'toolCall':
    case 'malformed':
      return failedVerdict('notRealtime', appError('testOther'));
  }
}

/** Judges a connection that ended before the first event. */
function verdictOnEnd(end: SocketEnd): FailedVerdict {
  switch (end.kind) {
    case 'unreachable':
      return end.untrustedCertificate === undefined
        ? failedVerdict('unreachable', end.error)
        : {
            ...failedVerdict('certificate', end.error),
            fingerprint: end.untrustedCertificate.fingerprint,
          };
    case 'refused':
      return verdictOnRefusal(end.status, end.body);
    case 'closed':
      return verdictOnClose(end.code, end.reason);
  }
}

function verdictOnRefusal(status: number, body: string): FailedVerdict {
  const web = refusedError(status, body);
  if (web.code === 'refusedByWeb') return failedVerdict('notRealtime', web);
  if (status < 400) return failedVerdict('notRealtime', appError('testNoServer', { status }));
  const error = refusedError(status, serverDetail(body).detail);
  // The body of a 404 is a generic web page, so it is not shown.
  if (status === 404) return failedVerdict('notRealtime', refusedError(status, ''));
  return failedVerdict(status === 429 || status >= 500 ? 'busy' : 'refused', error);
}

function verdictOnClose(code: number, reason: string): FailedVerdict {
  switch (code) {
    case 1008:
      return failedVerdict('refused', appError('testForbids', {}, serverDetail(reason)));
    case 1013:
      return failedVerdict('busy', appError('testFull', {}, serverDetail(reason)));
    case 1006:
      return failedVerdict('unreachable', appError('testCut'));
    default:
      return failedVerdict('notRealtime', appError('testClosed', { code }, serverDetail(reason)));
  }
}

const maxServerMessage = 200;

/** The server's message, shortened to one line. Drops HTML pages, which explain nothing. */
function serverDetail(text: string): { readonly detail: string } {
  const line = toOneLine(text);
  if (line.startsWith('<')) return { detail: '' };
  return { detail: line.length > maxServerMessage ? `${line.slice(0, maxServerMessage)}…` : line };
}

function failedVerdict(kind: VerdictKind, error: AppError): FailedVerdict {
  return { ok: false, kind, error };
}
