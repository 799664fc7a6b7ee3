import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket as NetSocket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { SocketEnd, SocketListener } from '../../shared/ports/sockets.ts';

export interface ScriptedServer {
  readonly port: number;
  readonly requests: readonly IncomingMessage[];
  readonly sockets: readonly WebSocket[];
  /** How many connections were ever opened. */
  readonly lineCount: () => number;
  readonly end: () => Promise<void>;
}

export interface Script {
  readonly tls?: { readonly key: string; readonly cert: string } | undefined;
  readonly accepted?: ((socket: WebSocket, request: IncomingMessage) => void) | undefined;
  readonly upgrade?: ((line: Duplex, request: IncomingMessage) => void) | undefined;
}

/** A real WebSocket server on loopback that records requests, and whose upgrade the test can replace. */
export async function scriptedServer(script: Script = {}): Promise<ScriptedServer> {
  const server: Server = script.tls === undefined ? createServer() : createTlsServer(script.tls);
  const webSockets = new WebSocketServer({ noServer: true, perMessageDeflate: true });
  const requests: IncomingMessage[] = [];
  const sockets: WebSocket[] = [];
  const lines = new Set<NetSocket>();
  let lineCount = 0;
  server.on('connection', (line: NetSocket) => {
    lineCount += 1;
    lines.add(line);
    line.on('close', () => lines.delete(line));
    line.on('error', () => undefined);
  });
  server.on('tlsClientError', () => undefined);
  server.on('upgrade', (request, line, head) => {
    requests.push(request);
    line.on('error', () => undefined);
    if (script.upgrade !== undefined) {
      script.upgrade(line, request);
      return;
    }
    webSockets.handleUpgrade(request, line, head, (socket) => {
      socket.on('error', () => undefined);
      sockets.push(socket);
      script.accepted?.(socket, request);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    sockets,
    lineCount: () => lineCount,
    end: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const line of lines) line.destroy();
      await closed;
    },
  };
}

/** Records the events of a connection in order, and lets a test wait for them. */
export class RecordingListener implements SocketListener {
  readonly log: (string | undefined | { readonly end: SocketEnd })[] = [];
  readonly #waiting: (() => void)[] = [];

  readonly opened = (): void => {
    this.#add('<opened>');
  };

  /** Texts that the adapter announced before sending them. */
  readonly outgoing: string[] = [];

  readonly sending = (text: string): void => {
    this.outgoing.push(text);
  };

  readonly received = (text: string | undefined): void => {
    this.#add(text);
  };

  readonly ended = (end: SocketEnd): void => {
    this.#add({ end });
  };

  /** Resolves when at least `count` events have been recorded. */
  async reached(count: number): Promise<void> {
    while (this.log.length < count) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }

  async end(): Promise<SocketEnd> {
    for (;;) {
      const last = this.log.at(-1);
      if (typeof last === 'object') return last.end;
      await this.reached(this.log.length + 1);
    }
  }

  #add(entry: (typeof this.log)[number]): void {
    this.log.push(entry);
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
