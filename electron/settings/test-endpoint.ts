import type { ClientCodec } from '../../shared/protocol/codec.ts';
import type { Mode } from '../../shared/protocol/names.ts';
import type { ServerEvent } from '../../shared/protocol/server-event.ts';
import type { EndpointVerdict, VerdictTimes } from '../../shared/settings/endpoint-verdict.ts';
import type { Clock } from '../ports/clock.ts';
import type { Socket, SocketEnd, Sockets } from '../ports/sockets.ts';
import { describeEnd, describeWord, silent, tooSlow } from './endpoint-verdicts.ts';

interface Needs {
  readonly sockets: Sockets;
  readonly mode: Mode;
  readonly clock: Clock;
  readonly codec: Pick<ClientCodec, 'decodeEvent'>;
}

/** TCP, TLS and the upgrade take well under a second. */
const openWithinMs = 8000;
/** A gateway tells the place in the queue, or the admission, as soon as the line is open. */
const wordWithinMs = 5000;
/** So long the other side may take for the goodbye. */
const goodbyeWithinMs = 1500;

/**
 * Goes as far as a session does before anything is asked of the server: connects, waits for its first
 * word, and leaves. No session is begun and no worker kept.
 */
export function testEndpoint(needs: Needs): Promise<EndpointVerdict> {
  return new Promise((resolve) => {
    new Trial(needs, resolve).begin();
  });
}

class Trial {
  readonly #needs: Needs;
  readonly #resolve: (verdict: EndpointVerdict) => void;
  readonly #begunAt: number;
  #openedAt: number | undefined;
  #socket: Socket | undefined;
  #verdict: EndpointVerdict | undefined;
  #stopWaiting: () => void = () => undefined;
  #ended = false;

  constructor(needs: Needs, resolve: (verdict: EndpointVerdict) => void) {
    this.#needs = needs;
    this.#resolve = resolve;
    this.#begunAt = needs.clock.now();
  }

  begin(): void {
    this.#waitAtMost(openWithinMs, () => {
      this.#judge(tooSlow(openWithinMs));
    });
    this.#socket = this.#needs.sockets.connect(this.#needs.mode, {
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
    this.#openedAt = this.#needs.clock.now();
    this.#waitAtMost(wordWithinMs, () => {
      this.#judge(silent(wordWithinMs));
    });
  }

  #received(text: string | undefined): void {
    const event: ServerEvent =
      text === undefined
        ? { kind: 'malformed', problem: 'binary' }
        : this.#needs.codec.decodeEvent(text);
    const verdict = describeWord(event, this.#needs.mode, this.#times());
    if (verdict !== undefined) this.#judge(verdict);
  }

  #times(): VerdictTimes {
    const now = this.#needs.clock.now();
    const opened = this.#openedAt ?? now;
    return { connectMs: Math.round(opened - this.#begunAt), wordMs: Math.round(now - opened) };
  }

  /** Known now; the goodbye is still to come. */
  #judge(verdict: EndpointVerdict): void {
    if (this.#verdict !== undefined || this.#ended) return;
    this.#verdict = verdict;
    this.#waitAtMost(goodbyeWithinMs, () => {
      this.#socket?.terminate();
      this.#finish(verdict);
    });
    this.#socket?.close(1000, '');
  }

  #end(end: SocketEnd): void {
    this.#finish(this.#verdict ?? describeEnd(end, this.#needs.mode));
  }

  #finish(verdict: EndpointVerdict): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#stopWaiting();
    this.#resolve(verdict);
  }

  #waitAtMost(milliseconds: number, run: () => void): void {
    this.#stopWaiting();
    this.#stopWaiting = this.#needs.clock.after(milliseconds, run);
  }
}
