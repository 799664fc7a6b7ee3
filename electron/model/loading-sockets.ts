import type { AppError, Outcome } from '../../shared/errors/app-error.ts';
import type { ModelServerState } from '../../shared/model/local-model.ts';
import type { Socket, SocketListener, Sockets } from '../../shared/ports/sockets.ts';

interface Deps {
  readonly server: {
    readonly state: ModelServerState;
    readonly ready: () => Promise<Outcome<string>>;
  };
  /** Sockets to the loaded model. */
  readonly open: () => Promise<Outcome<Sockets>>;
}

/**
 * Sockets to a model that may have to load first. A session waits at most seconds for a connection but any time in a
 * queue, so the client stands in a queue of one meanwhile.
 */
export function loadingSockets(deps: Deps): Sockets {
  return { connect: (mode, listener) => new LoadingSocket(deps, mode, listener) };
}

class LoadingSocket implements Socket {
  readonly #listener: SocketListener;
  #socket: Socket | undefined;
  #hasEnded = false;
  #wasOpened = false;

  constructor(deps: Deps, mode: string, listener: SocketListener) {
    this.#listener = listener;
    void this.#connect(deps, mode);
  }

  readonly send = (text: string): void => this.#socket?.send(text);

  readonly close = (code: number, reason: string): void => {
    if (this.#socket === undefined) this.#end({ kind: 'closed', code, reason });
    else this.#socket.close(code, reason);
  };

  readonly terminate = (): void => {
    if (this.#socket === undefined) this.#end({ kind: 'closed', code: 1006, reason: '' });
    else this.#socket.terminate();
  };

  async #connect({ server, open }: Deps, mode: string): Promise<void> {
    // A listener may not be called before its socket is returned.
    await Promise.resolve();
    if (server.state.kind !== 'ready') this.#queue(server.state);
    const ready = await server.ready();
    if (!ready.ok) {
      this.#fail(ready.error);
      return;
    }
    const sockets = await open();
    if (!sockets.ok) {
      this.#fail(sockets.error);
      return;
    }
    if (this.#hasEnded) return;
    this.#socket = sockets.value.connect(mode, {
      ...this.#listener,
      opened: () => {
        if (!this.#wasOpened) this.#listener.opened();
      },
    });
  }

  #queue(state: ModelServerState): void {
    if (this.#hasEnded) return;
    this.#wasOpened = true;
    this.#listener.opened();
    const seconds = state.kind === 'loading' ? state.secondsLeft : undefined;
    const event = { type: 'session.queued', position: 1, queue_length: 1 };
    this.#listener.received(JSON.stringify({ ...event, estimated_wait_s: seconds }));
  }

  #fail(error: AppError): void {
    this.#end({ kind: 'unreachable', error, permanent: true });
  }

  #end(end: Parameters<SocketListener['ended']>[0]): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#listener.ended(end);
  }
}
