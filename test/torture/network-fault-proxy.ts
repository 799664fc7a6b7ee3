import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import type { Random } from '../../shared/ports/clock.ts';

/** The faults of the network now. Frames keep their order, as in TCP. */
interface LineState {
  delayMs: number;
  jitterMs: number;
  msPerKilobyte: number;
  /** Delivers no data, without closing connections. */
  stalled: boolean;
  down: boolean;
  /** Probability that a text frame is corrupted. */
  mutationRate: number;
}

const noFaults: LineState = {
  delayMs: 0,
  jitterMs: 0,
  msPerKilobyte: 0,
  stalled: false,
  down: false,
  mutationRate: 0,
};
const pollMs = 20;

interface Connection {
  readonly client: WebSocket;
  readonly server: WebSocket;
  readonly socket: Socket;
  lastFrame: string;
}

/** A WebSocket proxy between Parley and a server that injects network faults. */
export class NetworkFaultProxy {
  readonly #random: Random;
  readonly #server = createServer();
  readonly #webSockets = new WebSocketServer({ noServer: true });
  readonly #connections = new Set<Connection>();
  readonly #sockets = new Set<Socket>();
  state: LineState = { ...noFaults };
  target = '';
  mutated = 0;

  constructor(random: Random) {
    this.#random = random;
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      socket.on('error', () => socket.destroy());
    });
    this.#server.on('upgrade', (request, socket, head) => {
      if (this.state.down || !(this.target.length > 0)) {
        socket.destroy();
        return;
      }
      const server = new WebSocket(new URL(request.url ?? '', this.target));
      socket.on('close', () => {
        server.terminate();
      });
      server.on('error', () => socket.destroy());
      server.once('open', () => {
        this.#webSockets.handleUpgrade(request, socket, head, (client) => {
          this.#join(client, server, socket as Socket);
        });
      });
    });
  }

  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  heal(): void {
    this.state = { ...noFaults };
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  reset(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  flood(times: number): void {
    for (const { client, lastFrame } of this.#connections) {
      if (lastFrame === '') continue;
      for (let n = 0; n < times && client.readyState === client.OPEN; n += 1)
        client.send(lastFrame);
    }
  }

  async end(): Promise<void> {
    this.state.down = true;
    this.cut();
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }

  #join(client: WebSocket, server: WebSocket, socket: Socket): void {
    const connection: Connection = { client, server, socket, lastFrame: '' };
    this.#connections.add(connection);
    client.on('close', () => this.#connections.delete(connection));
    client.on('error', () => client.terminate());
    server.on('error', () => server.terminate());
    const [up, down] = [this.#queue(), this.#queue()];
    client.on('message', (data: Buffer, binary) => {
      up(data.length, () => {
        if (server.readyState === server.OPEN) server.send(this.#frame(data, binary), { binary });
      });
    });
    server.on('message', (data: Buffer, binary) => {
      if (!binary) connection.lastFrame = data.toString();
      down(data.length, () => {
        if (client.readyState === client.OPEN) client.send(this.#frame(data, binary), { binary });
      });
    });
    client.on('close', () => {
      up(0, () => {
        server.close();
      });
    });
    server.on('close', (code) => {
      down(0, () => {
        if (code === 1005) client.close();
        else if (code === 1006) client.terminate();
        else client.close(code);
      });
    });
  }

  #frame(data: Buffer, binary: boolean): Buffer | string {
    if (binary) return data;
    const text = data.toString();
    if (this.#random() >= this.state.mutationRate) return text;
    this.mutated += 1;
    return mutateFrame(text, this.#random);
  }

  /** One direction of a connection: delays frames and keeps their order. */
  #queue(): (bytes: number, pass: () => void) => void {
    let last: Promise<void> = Promise.resolve();
    return (bytes, pass) => {
      const { delayMs, jitterMs, msPerKilobyte } = this.state;
      const ms = delayMs + jitterMs * this.#random() + (msPerKilobyte * bytes) / 1024;
      const before = last;
      last = this.#afterAll(before, ms, pass);
    };
  }

  async #afterAll(before: Promise<void>, ms: number, pass: () => void): Promise<void> {
    await before;
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
    while (this.state.stalled) await new Promise((resolve) => setTimeout(resolve, pollMs));
    pass();
  }
}

const mutations: readonly ((text: string, at: number) => string)[] = [
  // Truncated, doubled, one character changed, a part removed, reversed.
  (text, at) => text.slice(0, at),
  (text) => text + text,
  (text, at) => `${text.slice(0, at)}\u0000${text.slice(at + 1)}`,
  (text, at) => text.slice(0, at) + text.slice(at + 20),
  (text) => Array.from(text).toReversed().join(''),
  // Another type, sign or name, an empty list, or nothing.
  (text) => text.replaceAll(/"[^"]{0,40}"(?=[,}])/gu, '1e999'),
  (text) => text.replaceAll(/\d+/gu, '-$&'),
  (text) => text.replace(/"type":"[^"]*"/u, '"type":"session.unheard_of"'),
  () => '[]',
  () => '',
];

function mutateFrame(text: string, random: Random): string {
  const at = Math.floor(random() * text.length);
  const mutate = mutations[Math.floor(random() * mutations.length)];
  return mutate === undefined ? text : mutate(text, at);
}
