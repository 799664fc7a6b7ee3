import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { createClientCodec } from '../../shared/protocol/client-codec.ts';
import type {
  AppendEvent,
  ClientEvent,
  DialectName,
  OutputEvent,
  ServerEvent,
} from '../../shared/protocol/realtime-api.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';
import { instant } from '../contract/sound/player.ts';

interface SentEvent {
  readonly at: number;
  readonly event: ClientEvent;
}

interface ReceivedEvent {
  readonly at: number;
  readonly event: ServerEvent;
}

const serverCodec = createServerCodec(bufferBase64);
const clientCodec = createClientCodec(bufferBase64);

/**
 * The network between Parley and a gateway: it forwards and records everything, and can be cut. Without a target it
 * refuses connections.
 */
export class TappedConnection {
  readonly sent: SentEvent[] = [];
  readonly events: ReceivedEvent[] = [];
  /** The gateway's URL; undefined while the network is down. */
  target: string | undefined;
  readonly #dialect: DialectName;
  readonly #server = createServer();
  readonly #webSockets = new WebSocketServer({ noServer: true });
  readonly #sockets = new Set<Duplex>();
  readonly #frozen: (() => void)[] = [];
  #isFrozen = false;

  constructor(dialect: DialectName) {
    this.#dialect = dialect;
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      socket.on('error', () => undefined);
    });
    this.#server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      this.#forward(request, socket, head);
    });
  }

  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Drops all connections with their data in flight, and refuses new ones. */
  cut(): void {
    this.target = undefined;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Holds all data back without closing connections. */
  freeze(): void {
    this.#isFrozen = true;
  }

  thaw(): void {
    this.#isFrozen = false;
    for (const pass of this.#frozen.splice(0)) pass();
  }

  get appends(): readonly { readonly at: number; readonly event: AppendEvent }[] {
    return this.sent.filter((sent): sent is { at: number; event: AppendEvent } => {
      return sent.event.kind === 'append';
    });
  }

  outputsSince(since: number): readonly OutputEvent[] {
    return this.events.flatMap(({ at, event }) =>
      at >= since && event.kind === 'output' ? [event] : [],
    );
  }

  get instructions(): string {
    const last = this.sent.findLast(({ event }) => event.kind === 'configure')?.event;
    return last?.kind === 'configure' ? (last.settings.instructions ?? '') : '';
  }

  async end(): Promise<void> {
    this.cut();
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }

  #forward(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (this.target === undefined) {
      socket.destroy();
      return;
    }
    const upstream = new WebSocket(new URL(request.url ?? '', this.target));
    socket.on('close', () => {
      upstream.terminate();
    });
    upstream.on('error', () => socket.destroy());
    upstream.once('open', () => {
      this.#webSockets.handleUpgrade(request, socket, head, (downstream) => {
        this.#join(downstream, upstream);
      });
    });
  }

  #join(downstream: WebSocket, upstream: WebSocket): void {
    downstream.on('error', () => undefined);
    downstream.on('message', (data: Buffer, binary) => {
      if (!binary) this.#recordSent(data.toString());
      this.#pass(() => {
        upstream.send(data, { binary });
      });
    });
    upstream.on('message', (data: Buffer, binary) => {
      this.#pass(() => {
        if (!binary)
          this.events.push({
            at: instant(),
            event: clientCodec.decodeServerEvent(data.toString()),
          });
        downstream.send(data, { binary });
      });
    });
    downstream.on('close', (code, reason) => {
      this.#pass(() => {
        closeWith(upstream, code, reason);
      });
    });
    upstream.on('close', (code, reason) => {
      this.#pass(() => {
        closeWith(downstream, code, reason);
      });
    });
  }

  #recordSent(text: string): void {
    const event = serverCodec.decodeClientEvent(text, this.#dialect);
    if (event.kind !== 'problem') this.sent.push({ at: instant(), event });
  }

  #pass(forward: () => void): void {
    if (this.#isFrozen) this.#frozen.push(forward);
    else forward();
  }
}

/** 1005 stands for a close frame without a code, and 1006 for no close frame; neither may be sent as a code. */
function closeWith(socket: WebSocket, code: number, reason: Buffer): void {
  if (code === 1005) socket.close();
  else if (code === 1006) socket.terminate();
  else socket.close(code, reason);
}
