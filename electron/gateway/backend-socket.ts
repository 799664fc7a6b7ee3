import { type Clock, Timer } from '../../shared/ports/clock.ts';
import type { Socket, SocketEnd } from '../../shared/ports/sockets.ts';
import { normalClosure } from '../../shared/protocol/realtime-api.ts';
import type { Backend } from './backend.ts';
import type { WorkerReturn } from './worker-slots.ts';

/** A server that has another session accepts the connection and closes it within this time. */
const occupiedCloseMs = 50;
/** The server has this long to end its session before the connection is cut. */
const maxCloseMs = 2000;

/** Whether the server has a session of this connection. */
export type BackendSessionState =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly id: string }
  | { readonly kind: 'ended' };

export interface BackendSocketHooks {
  /** Called once, when the server has accepted the connection and is not occupied. */
  readonly onReady: () => void;
  /** A text frame, or undefined for a binary one. */
  readonly onReceived: (text: string | undefined) => void;
  readonly onEnded: (end: SocketEnd) => void;
  /** Called once after `release`, when the server can take the next session or is lost. */
  readonly onReleased: (how: WorkerReturn) => void;
}

/** The WebSocket from the gateway to a model server, from the connection until the server can take the next session. */
export class BackendSocket {
  readonly #backend: Backend;
  readonly #hooks: BackendSocketHooks;
  readonly #timer: Timer;
  readonly #socket: Socket;
  #isOpen = true;
  /** How the worker is returned. Set from `release` on. */
  #releasing: WorkerReturn | undefined;
  #isReleased = false;

  constructor(backend: Backend, clock: Clock, hooks: BackendSocketHooks) {
    this.#backend = backend;
    this.#hooks = hooks;
    this.#timer = new Timer(clock);
    this.#socket = backend.connect({
      opened: () => {
        if (this.#releasing === undefined) this.#timer.set(occupiedCloseMs, hooks.onReady);
      },
      received: hooks.onReceived,
      ended: (end) => {
        this.#isOpen = false;
        if (this.#releasing !== undefined) this.#finish();
        else {
          this.#timer.stop();
          hooks.onEnded(end);
        }
      },
    });
  }

  send(frame: string): void {
    if (this.#isOpen) this.#socket.send(frame);
  }

  /** Closes the connection of a server that has ended its session by itself. */
  close(): void {
    this.#socket.close(normalClosure, '');
  }

  /**
   * Asks the server to end its session, and cuts the connection if that takes two seconds. Without a session, cuts it at
   * once: the server may be loading the model, and cannot be asked to stop.
   */
  release(session: BackendSessionState, how: WorkerReturn): void {
    if (this.#releasing !== undefined) return;
    this.#releasing = how;
    this.#timer.stop();
    if (!this.#isOpen) {
      this.#finish();
      return;
    }
    if (session.kind === 'none') {
      this.#cut(how);
      return;
    }
    this.#timer.set(maxCloseMs, () => this.#cut('lost'));
    if (session.kind === 'ended') this.close();
    else void this.#closeSession(session.id);
  }

  async #closeSession(sessionId: string): Promise<void> {
    const hasClosed = await this.#backend
      .closeSession(sessionId, 'client_closed')
      .catch(() => false);
    if (this.#isReleased) return;
    if (hasClosed) this.close();
    else this.#cut('lost');
  }

  #cut(how: WorkerReturn): void {
    this.#releasing = how;
    this.#socket.terminate();
    this.#isOpen = false;
    this.#finish();
  }

  #finish(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#timer.stop();
    this.#hooks.onReleased(this.#releasing ?? 'clean');
  }
}
