import type { ChatConnectionState } from '../../../shared/chat/chat-patch.ts';
import { ChatConnection } from '../../chat/chat-connection.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Session } from '../../session/session.ts';
import type { SessionEvent } from '../../session/session-event.ts';

interface Deps {
  readonly clock: Clock;
  readonly openSession: (server: string, emit: (event: SessionEvent) => void) => Session;
  readonly heard: (state: ChatConnectionState) => void;
}

/** A place is given back soon: servers have few. */
const idleMs = 3000;

/** The one place that writing down takes up, at the server whose phrase is next. */
export class WriterPlace {
  readonly #deps: Deps;
  readonly #closing = new Set<Promise<void>>();
  #taken: { readonly server: string; readonly connection: ChatConnection } | undefined;
  #stopIdle: (() => void) | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  connectionTo(server: string): ChatConnection {
    this.#endIdle();
    if (this.#taken?.server === server) return this.#taken.connection;
    this.release();
    const connection = new ChatConnection({
      clock: this.#deps.clock,
      openSession: (emit) => this.#deps.openSession(server, emit),
      emit: (state) => {
        if (this.#taken?.connection === connection) this.#deps.heard(state);
      },
    });
    this.#taken = { server, connection };
    return connection;
  }

  /** What was asked for is not wanted any more; the place stays. */
  stop(): void {
    this.#taken?.connection.stop();
  }

  releaseWhenIdle(): void {
    this.#stopIdle ??= this.#deps.clock.after(idleMs, () => {
      this.release();
    });
  }

  release(): void {
    this.#endIdle();
    const closing = this.#taken?.connection.close();
    this.#taken = undefined;
    if (closing === undefined) return;
    const closed = closing.finally(() => this.#closing.delete(closed));
    this.#closing.add(closed);
  }

  /** Once all that was released is given back. */
  async closed(): Promise<void> {
    await Promise.all(this.#closing);
  }

  #endIdle(): void {
    this.#stopIdle?.();
    this.#stopIdle = undefined;
  }
}
