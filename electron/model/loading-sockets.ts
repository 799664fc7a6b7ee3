import type { Outcome } from '../../shared/errors/app-error.ts';
import type { ModelUser } from '../../shared/model/local-model-state.ts';
import type { Socket, SocketListener, Sockets } from '../../shared/ports/sockets.ts';
import type { ModelArbiter } from './model-arbiter.ts';

interface Deps {
  readonly server: {
    /** Undefined if a session would start at once. */
    readonly waitFor: (user: ModelUser) => { readonly seconds: number | undefined } | undefined;
    readonly ready: (user: ModelUser) => Promise<Outcome<string>>;
  };
  readonly arbiter: Pick<ModelArbiter, 'mayEnter' | 'enter'>;
  readonly open: () => Promise<Outcome<Sockets>>;
  /** A process for chats only, in which a chat does not wait for a talk. */
  readonly chats?:
    | {
        readonly waitFor: () => { readonly seconds: number | undefined } | undefined;
        /** Undefined if chats take turns with talks. */
        readonly open: () => Promise<Outcome<Sockets> | undefined>;
      }
    | undefined;
}

/**
 * Sockets to a model that may have to load first, or that is in use. Clients give up a slow connection after seconds but
 * wait in a queue for any time, so these sockets report a queue of one until the model is ready.
 */
export function loadingSockets(deps: Deps): Sockets {
  return { connect: (mode, listener) => new LoadingSocket(deps, mode, listener) };
}

class LoadingSocket implements Socket {
  readonly #listener: SocketListener;
  #socket: Socket | undefined;
  #hasEnded = false;
  #wasOpened = false;
  #leave: () => void = () => undefined;

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

  async #connect(deps: Deps, mode: string): Promise<void> {
    const user = mode === 'audio' || mode === 'video' ? 'talk' : 'chat';
    // A listener may not be called before its socket is returned.
    await Promise.resolve();
    const chatSockets = user === 'chat' ? await this.#openChats(deps) : undefined;
    const sockets = chatSockets ?? (await this.#takeTurn(deps, user));
    if (this.#hasEnded || sockets === undefined) return;
    if (!sockets.ok) {
      this.#end({ kind: 'unreachable', error: sockets.error, permanent: true });
      return;
    }
    this.#socket = sockets.value.connect(mode, {
      ...this.#listener,
      opened: () => {
        if (!this.#wasOpened) this.#listener.opened();
      },
      ended: (end) => this.#end(end),
    });
  }

  async #openChats({ chats }: Deps): Promise<Outcome<Sockets> | undefined> {
    const wait = chats?.waitFor();
    if (wait !== undefined) this.#queue(wait.seconds);
    return chats?.open();
  }

  /** Undefined if the client has left. */
  async #takeTurn(
    { server, arbiter, open }: Deps,
    user: ModelUser,
  ): Promise<Outcome<Sockets> | undefined> {
    if (!arbiter.mayEnter(user)) this.#queue(undefined);
    const leave = await arbiter.enter(user);
    if (this.#hasEnded) {
      leave();
      return undefined;
    }
    this.#leave = leave;
    const wait = server.waitFor(user);
    if (wait !== undefined) this.#queue(wait.seconds);
    const ready = await server.ready(user);
    return ready.ok ? open() : ready;
  }

  #queue(seconds: number | undefined): void {
    if (this.#hasEnded) return;
    const type = this.#wasOpened ? 'session.queue_update' : 'session.queued';
    if (!this.#wasOpened) this.#listener.opened();
    this.#wasOpened = true;
    const event = { type, position: 1, queue_length: 1 };
    this.#listener.received(JSON.stringify({ ...event, estimated_wait_s: seconds }));
  }

  #end(end: Parameters<SocketListener['ended']>[0]): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#leave();
    this.#listener.ended(end);
  }
}
