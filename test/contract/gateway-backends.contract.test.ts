import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { runTerminal } from '../../electron/hosts/terminal/run-terminal.ts';
import { connectBackend } from '../../electron/platform/model/backend-connection.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { type OfficialClient, officialClients } from '../fixtures/official-client-frames.ts';
import { expectOfficialTalks } from './expect-official-talks.ts';
import { GatewayClient } from './gateway-server-client.ts';
import { gatewayHarness } from './gateway-server-harness.ts';

const { serve, serveBackends } = gatewayHarness();

/** A model server with one session at a time, whose first answer to sound is always the same. */
class ModelServer {
  readonly #server: Server = createServer((request, response) => {
    if (request.method === 'POST') this.#end();
    response.end('{}');
  });
  readonly #sockets = new WebSocketServer({ server: this.#server, path: '/backend' });
  #port = 0;

  constructor() {
    this.#sockets.on('connection', (socket) => {
      if (this.#sockets.clients.size > 1) socket.close();
      else this.#talk(socket);
    });
  }

  get address(): URL {
    return new URL(`ws://127.0.0.1:${this.#port}/backend`);
  }

  /** Listens at the same port as before. */
  async start(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const client of this.#sockets.clients) client.terminate();
    this.#server.closeAllConnections();
    await closed;
  }

  #end(): void {
    for (const client of this.#sockets.clients) {
      client.send('{"type":"session.closed","session_id":"omni_1","reason":"client_closed"}');
    }
  }

  #talk(socket: WebSocket): void {
    let step = 0;
    const send = (frame: object): void => {
      socket.send(JSON.stringify(frame));
    };
    socket.on('message', (data: Buffer) => {
      const { type } = JSON.parse(data.toString()) as { readonly type: string };
      if (type === 'session.init') send({ type: 'session.created', session_id: 'omni_1' });
      if (type !== 'input.append') return;
      step += 1;
      const head = { type: 'response.output.delta', response_id: `omni_1_resp_${step}` };
      if (step !== 2) send({ ...head, kind: 'listen', metrics: {} });
      else {
        send({ ...head, kind: 'text', text: 'Hello.', metrics: {} });
        send({ ...head, type: 'response.done', text: 'Hello.', reason: 'turn_end' });
      }
    });
  }
}

let model: ModelServer;

beforeEach(async () => {
  model = new ModelServer();
  await model.start();
});

afterEach(() => model.stop().catch(() => undefined));

const http = (url: string, path: string): URL => new URL(path, url.replace('ws:', 'http:'));

const cases = (['unified', 'legacy'] as const).flatMap((dialect) =>
  Object.entries<OfficialClient>(officialClients[dialect]).map(([name, client]) => ({
    dialect,
    name,
    client,
  })),
);

describe.each(cases)('$name of the $dialect dialect', ({ dialect, client }) => {
  it('talks to a model server behind the gateway, one after the other', async () => {
    const url = await serveBackends([connectBackend(model.address)], { dialect });
    const standard = 'servers in use';
    await expectOfficialTalks(url, { dialect, client, answer: /^Hello\.$/, standard });
  });
});

describe('a gateway in front of a model server', () => {
  it('reports it in status and metrics', async () => {
    const url = await serveBackends([connectBackend(model.address, 'duplex')]);
    const client = new GatewayClient(`${url}?mode=audio`, 'unified');
    await client.received('admitted');
    client.send({ kind: 'configure', settings: {} });
    await client.received('created');
    const waiting = new GatewayClient(`${url}?mode=audio`, 'unified');
    await waiting.received('queued');
    const status = await fetch(http(url, '/status'));
    expect(await status.json()).toMatchObject({
      total_workers: 1,
      idle_workers: 0,
      busy_workers: 1,
      queue_length: 1,
      workers: [
        {
          name: model.address.href,
          serves: 'duplex',
          state: 'busy',
        },
      ],
    });
    const metrics = await fetch(http(url, '/metrics'));
    expect(metrics.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const text = await metrics.text();
    expect(text).toContain('parley_gateway_queue_length 1\n');
    expect(text).toContain('parley_gateway_sessions 1\n');
    expect(text).toContain('parley_gateway_workers{state="busy"} 1\n');
    const asPage = { headers: { origin: 'https://evil.example' } };
    for (const path of ['/status', '/metrics', '/health'])
      expect((await fetch(http(url, path), asPage)).status).toBe(403);
    client.send({ kind: 'close', reason: 'user_stop' });
    await client.ended;
    const after = await (await fetch(http(url, '/metrics'))).text();
    expect(after).toContain('_session_ends_total{mode="audio",reason="client_closed"} 1\n');
    waiting.socket.terminate();
  });

  it('is unhealthy while the server cannot be reached, and a client waits until it is back', async () => {
    const url = await serveBackends([connectBackend(model.address)]);
    const health = async (): Promise<number> => (await fetch(http(url, '/health'))).status;
    expect(await health()).toBe(200);
    await model.stop();
    const client = new GatewayClient(`${url}?mode=audio`, 'unified');
    await client.received('queued');
    expect(await health()).toBe(503);
    const newcomer = new GatewayClient(`${url}?mode=audio`, 'unified');
    expect(await newcomer.received('error')).toMatchObject({ code: 'service_unavailable' });
    expect((await newcomer.ended).code).toBe(1013);
    await model.start();
    await client.received('admitted');
    expect(await health()).toBe(200);
    client.send({ kind: 'configure', settings: {} });
    await client.received('created');
    expect(client.kinds).not.toContain('error');
    client.socket.terminate();
  });
});

it('parley gateway lets a session end after Ctrl-C, refuses the next client, and exits', async () => {
  let interrupt: () => void = () => undefined;
  const spoken = { err: '' };
  let onListening: (url: string) => void = () => undefined;
  const listening = new Promise<string>((resolve) => {
    onListening = resolve;
  });
  vi.stubEnv('PARLEY_STATE_DIR', workFolder()('state'));
  const command = ['gateway', '--port', '0', '--json', '--backend', model.address.href];
  const ended = runTerminal(command, {
    out: (text) => {
      onListening((JSON.parse(text) as { readonly url: string }).url);
    },
    err: (text) => {
      spoken.err += text;
    },
    onInterrupt: (listener) => {
      interrupt = listener;
      return () => undefined;
    },
  });
  const url = `${await listening}?mode=audio`;
  const client = new GatewayClient(url, 'unified');
  await client.received('admitted');
  client.send({ kind: 'configure', settings: {} });
  await client.received('created');
  interrupt();
  const next = new GatewayClient(url, 'unified');
  expect((await next.received('closed')).reason).toBe('server_shutdown');
  expect(spoken.err).toContain('running sessions get 10 s');
  client.send({ kind: 'append', audio: new Float32Array(16_000) });
  await client.received('listen');
  client.send({ kind: 'close', reason: 'user_stop' });
  expect((await client.received('closed')).reason).toBe('user_stop');
  expect(await ended).toBe(0);
  vi.unstubAllEnvs();
});

it('a gateway without model servers has no metrics', async () => {
  const url = await serve();
  expect((await fetch(http(url, '/metrics'))).status).toBe(404);
});
