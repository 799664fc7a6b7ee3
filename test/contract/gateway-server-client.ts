import { type ClientOptions, WebSocket } from 'ws';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { createClientCodec } from '../../shared/protocol/client-codec.ts';
import type { ClientEvent } from '../../shared/protocol/client-event.ts';
import type { DialectName } from '../../shared/protocol/realtime-api.ts';
import type { ServerEvent } from '../../shared/protocol/server-event.ts';

const codec = createClientCodec(bufferBase64);

/** A client on a real WebSocket that records all received events. */
export class GatewayClient {
  readonly socket: WebSocket;
  readonly events: ServerEvent[] = [];
  readonly #dialect: DialectName;
  readonly #ended: Promise<{ readonly code: number; readonly reason: string }>;
  #wake: () => void = () => undefined;

  constructor(url: string, dialect: DialectName, options: ClientOptions = {}) {
    this.#dialect = dialect;
    this.socket = new WebSocket(url, options);
    this.socket.on('message', (data: Buffer) => {
      this.events.push(codec.decodeServerEvent(data.toString('utf8')));
      this.#wake();
    });
    this.socket.on('error', () => undefined);
    this.#ended = new Promise((resolve) => {
      this.socket.on('close', (code, reason) => {
        resolve({ code, reason: reason.toString() });
        this.#wake();
      });
    });
  }

  get kinds(): readonly string[] {
    return this.events.map(({ kind }) => kind);
  }

  get ended() {
    return this.#ended;
  }

  send(event: ClientEvent): void {
    this.socket.send(codec.encodeClientEvent(event, this.#dialect));
  }

  /** Waits for one more event. */
  async next(): Promise<void> {
    const before = this.events.length;
    while (this.events.length === before && this.socket.readyState !== WebSocket.CLOSED) {
      await this.#woken();
    }
  }

  #woken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Waits for this many events of a kind and returns the last. */
  async received<Kind extends ServerEvent['kind']>(
    kind: Kind,
    count = 1,
  ): Promise<Extract<ServerEvent, { kind: Kind }>> {
    for (;;) {
      const found = this.events.filter(
        (event): event is Extract<ServerEvent, { kind: Kind }> => event.kind === kind,
      )[count - 1];
      if (found !== undefined) return found;
      if (this.socket.readyState === WebSocket.CLOSED) {
        throw new Error(`ended without ${kind}: ${this.kinds.join(', ')}`);
      }
      await this.#woken();
    }
  }
}

/** Tries to connect and returns the HTTP refusal. */
export function refusalOf(url: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    socket.on('open', () => {
      socket.terminate();
      reject(new Error('The gateway accepted the connection.'));
    });
    socket.on('unexpected-response', (_request, response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, body });
      });
    });
  });
}
