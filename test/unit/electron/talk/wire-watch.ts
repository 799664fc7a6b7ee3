import { bufferBase64 } from '../../../../electron/platform/system/base64-sha256.ts';
import type { Clock } from '../../../../shared/ports/clock.ts';
import type { Socket, SocketListener, Sockets } from '../../../../shared/ports/sockets.ts';
import { createClientCodec } from '../../../../shared/protocol/client-codec.ts';
import type { DialectName } from '../../../../shared/protocol/realtime-api.ts';
import { createServerCodec } from '../../../../shared/protocol/server-codec.ts';

/** Traffic of one connection, by the test's clock. */
export interface WatchedSession {
  readonly askedAt: number;
  createdAt: number | undefined;
  readonly appends: { readonly at: number; readonly samples: number }[];
  readonly marks: Marks;
}

/** Sound of a distinct loudness is identifiable on the wire. */
const quietest = 0.2;
const apart = 1 / 8192;

export function markOf(sample: number): number | undefined {
  return sample < quietest + apart / 2 ? undefined : Math.round((sample - quietest) / apart);
}

export const markedLoudness = (mark: number): number => quietest + mark * apart;

/** Counts received samples per loudness; loudness rises with time. */
class Marks {
  readonly came = new Map<number, number>();
  /** Samples received after later ones. */
  disorder = 0;
  #newest = 0;

  push(audio: Float32Array): void {
    for (let at = 0; at < audio.length; at += 1) {
      const mark = markOf(audio[at] ?? 0);
      if (mark === undefined) continue;
      this.came.set(mark, (this.came.get(mark) ?? 0) + 1);
      if (mark < this.#newest) this.disorder += 1;
      this.#newest = mark;
    }
  }
}

/** Observes the connections between a conversation and its server. */
export class WireWatch {
  readonly sessions: WatchedSession[] = [];
  readonly #dialect: DialectName;
  readonly #server = createServerCodec(bufferBase64);
  readonly #client = createClientCodec(bufferBase64);

  constructor(dialect: DialectName) {
    this.#dialect = dialect;
  }

  around(sockets: Sockets, clock: Clock): Sockets {
    return { connect: (mode, listener) => this.#connect(sockets, clock, mode, listener) };
  }

  /** Sessions that the server created. */
  get live(): readonly (WatchedSession & { readonly createdAt: number })[] {
    return this.sessions.flatMap((session) =>
      session.createdAt === undefined ? [] : [{ ...session, createdAt: session.createdAt }],
    );
  }

  #connect(sockets: Sockets, clock: Clock, mode: string, listener: SocketListener): Socket {
    const session: WatchedSession = {
      askedAt: clock.now(),
      createdAt: undefined,
      appends: [],
      marks: new Marks(),
    };
    this.sessions.push(session);
    const inner = sockets.connect(mode, {
      ...listener,
      received: (text) => {
        if (session.createdAt === undefined && text !== undefined) {
          const { kind } = this.#client.decodeServerEvent(text);
          if (kind === 'created') session.createdAt = clock.now();
        }
        listener.received(text);
      },
    });
    return {
      ...inner,
      send: (text) => {
        const event = this.#server.decodeClientEvent(text, this.#dialect, { lenient: true });
        if (event.kind === 'append') {
          session.appends.push({ at: clock.now(), samples: event.audio.length });
          session.marks.push(event.audio);
        }
        inner.send(text);
      },
    };
  }
}
