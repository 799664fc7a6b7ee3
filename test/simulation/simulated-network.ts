import { appError } from '../../shared/errors/app-error.ts';
import type { Clock, Random } from '../../shared/ports/clock.ts';
import type { Socket, SocketListener, Sockets } from '../../shared/ports/sockets.ts';

interface SentFrameListener {
  /** `afterEnd` is true if the client had closed the connection or knew that it was closed. */
  readonly sent: (text: string, mode: string, afterEnd: boolean) => void;
}

interface Deps {
  readonly clock: Clock;
  readonly random: Random;
  readonly server: Sockets;
  readonly watch: SentFrameListener;
}

interface Wire {
  readonly cut: () => void;
  readonly end: () => void;
}

const maxDelayMs = 250;

/** A network that delays messages but keeps their order, cuts connections, and is down at times. */
export class SimulatedNetwork implements Sockets {
  readonly #deps: Deps;
  readonly #wires = new Set<Wire>();
  #down = false;
  #gone = false;
  #stalledUntil = 0;
  #slowness = 0.1;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get open(): number {
    return this.#wires.size;
  }

  cut(): void {
    for (const wire of this.#wires) wire.cut();
  }

  /** The calling process ended: ends its connections, and refuses further ones without delay. */
  hangUp(): void {
    this.#gone = true;
    for (const wire of this.#wires) {
      wire.cut();
      wire.end();
    }
  }

  /** While down, the network cuts all connections and refuses new ones. */
  setDown(down: boolean): void {
    this.#down = down;
    if (down) this.cut();
  }

  /** For this long, holds back every message that is sent, and then delivers them. */
  stall(milliseconds: number): void {
    this.#stalledUntil = Math.max(this.#stalledUntil, this.#deps.clock.now() + milliseconds);
  }

  /** Sets how slow the network is, from 0 to 1. */
  setSlowness(slowness: number): void {
    this.#slowness = slowness;
  }

  readonly connect = (mode: string, listener: SocketListener): Socket => {
    const { clock, server, watch } = this.#deps;
    let closedByUs = false;
    let ended = false;
    let inner: Socket | undefined;
    const up = this.#queue();
    const down = this.#queue();
    const end = (how: Parameters<SocketListener['ended']>[0]): void => {
      if (ended) return;
      ended = true;
      this.#wires.delete(wire);
      listener.ended(how);
    };
    const wire: Wire = {
      end: () => {
        end({ kind: 'closed', code: 1006, reason: '' });
      },
      cut: () => {
        inner?.terminate();
        clock.after(0, wire.end);
      },
    };
    this.#wires.add(wire);
    if (this.#gone) void Promise.resolve().then(wire.end);
    up(() => {
      if (ended) return;
      if (this.#down) {
        end({ kind: 'unreachable', error: appError('noRoute', { server: 'the simulation' }) });
        return;
      }
      inner = server.connect(mode, {
        opened: () => {
          down(() => {
            if (!ended) listener.opened();
          });
        },
        received: (text) => {
          down(() => {
            if (!ended) listener.received(text);
          });
        },
        ended: (how) => {
          down(() => {
            end(how);
          });
        },
      });
    });
    return {
      send: (text) => {
        watch.sent(text, mode, closedByUs || ended);
        listener.sending?.(text);
        up(() => {
          inner?.send(text);
        });
      },
      close: (code, reason) => {
        closedByUs = true;
        up(() => {
          if (inner !== undefined) inner.close(code, reason);
          else end({ kind: 'closed', code: 1006, reason: '' });
        });
      },
      terminate: () => {
        closedByUs = true;
        inner?.terminate();
        // The connection is closed for the client now, although its event comes a moment later.
        this.#wires.delete(wire);
        void Promise.resolve().then(wire.end);
      },
    };
  };

  /** Creates a queue for one direction of a connection, which delays messages in order. */
  #queue(): (arrive: () => void) => void {
    const { clock, random } = this.#deps;
    let last = 0;
    return (arrive) => {
      const late = 1 + maxDelayMs * this.#slowness * random() * random();
      last = Math.max(last, this.#stalledUntil, clock.now() + late);
      clock.after(last - clock.now(), arrive);
    };
  }
}
