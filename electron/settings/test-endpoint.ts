import type { ClientCodec } from '../../shared/protocol/client-codec.ts';
import type { Mode } from '../../shared/protocol/dialect-and-mode.ts';
import type { ServerEvent } from '../../shared/protocol/server-event.ts';
import type { EndpointVerdict, VerdictTimes } from '../../shared/settings/endpoint-verdict.ts';
import type { Clock } from '../ports/clock.ts';
import type { Socket, SocketEnd, Sockets } from '../ports/sockets.ts';
import {
  verdictOnEnd,
  verdictOnEvent,
  silentServerVerdict,
  openTimeoutVerdict,
} from './endpoint-verdicts.ts';

interface Deps {
  readonly sockets: Sockets;
  readonly mode: Mode;
  readonly clock: Clock;
  readonly codec: Pick<ClientCodec, 'decodeServerEvent'>;
}

/** TCP, TLS and the upgrade take well under a second. */
const openTimeoutMs = 8000;
/** A gateway sends the place in the queue, or the admission, as soon as the connection is open. */
const firstEventTimeoutMs = 5000;
/** So long the other side may take for the goodbye. */
const closeTimeoutMs = 1500;

/**
 * Goes as far as a session does before anything is asked of the server: connects, waits for its first
 * word, and leaves. No session is begun and no worker kept.
 */
export function testEndpoint(deps: Deps): Promise<EndpointVerdict> {
  return new Promise((resolve) => {
    new EndpointTest(deps, resolve).begin();
  });
}

class EndpointTest {
  readonly #deps: Deps;
  readonly #resolve: (verdict: EndpointVerdict) => void;
  readonly #begunAt: number;
  #openedAt: number | undefined;
  #socket: Socket | undefined;
  #verdict: EndpointVerdict | undefined;
  #stopWaiting: () => void = () => undefined;
  #ended = false;

  constructor(deps: Deps, resolve: (verdict: EndpointVerdict) => void) {
    this.#deps = deps;
    this.#resolve = resolve;
    this.#begunAt = deps.clock.now();
  }

  begin(): void {
    this.#startTimeout(openTimeoutMs, () => {
      this.#decide(openTimeoutVerdict(openTimeoutMs));
    });
    this.#socket = this.#deps.sockets.connect(this.#deps.mode, {
      opened: () => {
        this.#opened();
      },
      received: (text) => {
        this.#received(text);
      },
      ended: (end) => {
        this.#end(end);
      },
    });
  }

  #opened(): void {
    if (this.#verdict !== undefined) return;
    this.#openedAt = this.#deps.clock.now();
    this.#startTimeout(firstEventTimeoutMs, () => {
      this.#decide(silentServerVerdict(firstEventTimeoutMs));
    });
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
    return { connectMs: Math.round(opened - this.#begunAt), wordMs: Math.round(now - opened) };
  }

  /** Known now; the goodbye is still to come. */
  #decide(verdict: EndpointVerdict): void {
    if (this.#verdict !== undefined || this.#ended) return;
    this.#verdict = verdict;
    this.#startTimeout(closeTimeoutMs, () => {
      this.#socket?.terminate();
      this.#finish(verdict);
    });
    this.#socket?.close(1000, '');
  }

  #end(end: SocketEnd): void {
    this.#finish(this.#verdict ?? verdictOnEnd(end));
  }

  #finish(verdict: EndpointVerdict): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#stopWaiting();
    this.#resolve(verdict);
  }

  #startTimeout(milliseconds: number, run: () => void): void {
    this.#stopWaiting();
    this.#stopWaiting = this.#deps.clock.after(milliseconds, run);
  }
}
