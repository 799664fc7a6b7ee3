import { afterEach, beforeAll } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { type Backend, createBackendCodec } from '../../electron/gateway/backend.ts';
import { GatewayMetrics } from '../../electron/gateway/gateway-metrics.ts';
import {
  defaultGatewayOptions,
  type DemoSpeech,
  type GatewayOptions,
} from '../../electron/gateway/gateway-options.ts';
import { openGateway } from '../../electron/gateway/gateway.ts';
import { loadDemoSpeech } from '../../electron/platform/files/demo-speech.ts';
import {
  type GatewayServer,
  serveGateway,
} from '../../electron/platform/gateway/gateway-server.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { systemClock, systemWallClock } from '../../electron/platform/system/system-clock.ts';
import { createClientCodec } from '../../shared/protocol/client-codec.ts';
import type { ClientEvent, DialectName, ServerEvent } from '../../shared/protocol/realtime-api.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';
import { FakeLog } from '../fakes/fake-log.ts';
import { fakePictures } from '../fakes/fake-pictures.ts';
import { seeded } from '../fakes/seeded.ts';
import { unwrap } from '../fakes/unwrap.ts';

const codec = createClientCodec(bufferBase64);

type CreatedEvent = Extract<ServerEvent, { readonly kind: 'created' }>;

/** A client on a real WebSocket that records all received events. */
export class GatewayClient {
  readonly socket: WebSocket;
  readonly events: ServerEvent[] = [];
  readonly #dialect: DialectName;
  readonly #ended: Promise<{ readonly code: number; readonly reason: string }>;
  #wake: () => void = () => undefined;

  constructor(url: string, dialect: DialectName = 'unified', options: ClientOptions = {}) {
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

  /** Connects, and waits until the session is created. */
  static async live(...of: ConstructorParameters<typeof GatewayClient>): Promise<GatewayClient> {
    const client = new GatewayClient(...of);
    await client.received('admitted');
    await client.configure();
    return client;
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

  /** Configures the session, and waits until it is created. */
  async configure(): Promise<CreatedEvent> {
    this.send({ kind: 'configure', settings: {} });
    return this.received('created');
  }

  /** Ends the session as the user does, and returns the reason that the server confirms. */
  async close(): Promise<string> {
    this.send({ kind: 'close', reason: 'user_stop' });
    return (await this.received('closed')).reason;
  }

  /** Waits for one more event, or the close. */
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

  /** Waits for this many events of a kind and returns the last; throws if the connection closes before. */
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

/** The profiles `documented` and `deployed` with each dialect. */
export const gatewayKinds = (['documented', 'deployed'] as const).flatMap((profile) =>
  (['unified', 'legacy'] as const).map((dialect) => ({ profile, dialect })),
);

/** The address of a path of the gateway's HTTP server. */
export const httpUrl = (url: string, path: string): URL => new URL(path, url.replace('ws', 'http'));

interface ServedBackends {
  readonly servers: readonly Backend[];
  readonly creationMs?: number | undefined;
}

interface ServeOptions {
  readonly log?: FakeLog;
  readonly allowedOrigins?: readonly string[];
  readonly backends?: ServedBackends;
}

/** Gateways with short steps and their servers, which end with the test. */
export function gatewayHarness() {
  let speech: DemoSpeech;
  let servers: GatewayServer[] = [];

  beforeAll(async () => {
    speech = unwrap(await loadDemoSpeech('resources/speech'));
  });

  afterEach(async () => {
    for (const server of servers) await server.end();
    servers = [];
  });

  function makeGateway(options: Partial<GatewayOptions> = {}, backends?: ServedBackends) {
    return openGateway(
      { ...defaultGatewayOptions, stepMs: 5, ...options },
      {
        clock: systemClock,
        wallClock: systemWallClock,
        random: seeded(1),
        codec: createServerCodec(bufferBase64),
        pictures: fakePictures(),
        speech,
        backends: backends && {
          ...backends,
          codec: createBackendCodec(bufferBase64),
          defaultVoice: new Float32Array(16_000),
          metrics: new GatewayMetrics(),
        },
      },
    );
  }

  async function serve(
    options: Partial<GatewayOptions> = {},
    { log = new FakeLog(), allowedOrigins, backends }: ServeOptions = {},
  ): Promise<string> {
    const gateway = makeGateway(options, backends);
    const served = unwrap(await serveGateway(gateway, { port: 0, allowedOrigins, log }));
    servers.push(served);
    return served.url;
  }

  return {
    makeGateway,
    serve,
    /** Serves a gateway in front of model servers. */
    serveBackends: (
      servers: readonly Backend[],
      options: Partial<GatewayOptions> = {},
      creationMs?: number,
    ) => serve(options, { backends: { servers, creationMs } }),
    speech: () => speech,
    /** The first server; the caller ends it. */
    takeServer: () => servers.shift(),
  };
}
