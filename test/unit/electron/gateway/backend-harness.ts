import {
  createBackendCodec,
  type Backend,
  type BackendStat,
} from '../../../../electron/gateway/backend.ts';
import type { GatewayOptions } from '../../../../electron/gateway/gateway-options.ts';
import { GatewayMetrics } from '../../../../electron/gateway/gateway-metrics.ts';
import type { Gateway } from '../../../../electron/gateway/gateway.ts';
import { bufferBase64 } from '../../../../electron/platform/system/base64-sha256.ts';
import type { SocketListener } from '../../../../shared/ports/sockets.ts';
import type {
  ClientEvent,
  SessionSettings,
  ServerEvent,
} from '../../../../shared/protocol/realtime-api.ts';
import { FakeSocket } from '../../../fakes/fake-sockets.ts';
import { type GatewayClient, setGatewayScene, silence } from './gateway-client.ts';

/** A model server whose frames the test sends. */
export class FakeBackend implements Backend {
  readonly name = 'ws://127.0.0.1:22500/backend';
  readonly serves = 'both';
  readonly sockets: FakeSocket[] = [];
  readonly closes: { readonly id: string; readonly answer: (done: boolean) => void }[] = [];

  readonly connect = (listener: SocketListener): FakeSocket => {
    const socket = new FakeSocket('', listener);
    this.sockets.push(socket);
    return socket;
  };

  readonly closeSession = (id: string): Promise<boolean> =>
    new Promise((answer) => {
      this.closes.push({ id, answer });
    });

  /** Answered steps, as the gateway reports them. */
  readonly steps: (readonly [milliseconds: number, hasPicture: boolean])[] = [];

  readonly onStep = (milliseconds: number, hasPicture: boolean): void => {
    this.steps.push([milliseconds, hasPicture]);
  };

  isWell = true;

  readonly isHealthy = (): Promise<boolean> => Promise.resolve(this.isWell);

  get socket(): FakeSocket {
    const socket = this.sockets.at(-1);
    if (socket === undefined) throw new Error('The gateway has not connected yet.');
    return socket;
  }

  get sent(): readonly Record<string, unknown>[] {
    return this.socket.sent.map((text) => JSON.parse(text) as Record<string, unknown>);
  }

  /** The `input` of each append. */
  get inputs(): readonly Record<string, unknown>[] {
    return this.sent.flatMap(({ input }) => (input === undefined ? [] : [input])) as Record<
      string,
      unknown
    >[];
  }

  send(frame: object): void {
    this.socket.receive(JSON.stringify(frame));
  }

  text(step: number, text: string, metrics: object = {}): void {
    this.#delta(step, { kind: 'text', text, metrics });
  }

  listen(step: number, metrics: object = {}): void {
    this.#delta(step, { kind: 'listen', metrics });
  }

  sound(step: number, ms = 1000): void {
    const bytes = new Uint8Array(new Float32Array(ms * 24).fill(0.1).buffer);
    this.#delta(step, { kind: 'audio', audio: bufferBase64.encode(bytes) });
  }

  done(step: number, text: string, more: object = {}): void {
    this.send({ type: 'response.done', response_id: responseId(step), text, ...more });
  }

  /** A step with text, as the server usually ends it. */
  say(step: number, text: string): void {
    this.text(step, text);
    this.done(step, text, { reason: 'turn_end' });
  }

  #delta(step: number, fields: object): void {
    this.send({ type: 'response.output.delta', response_id: responseId(step), ...fields });
  }
}

const responseId = (step: number): string => `backend-1_resp_${step}`;

export interface BackendHarness {
  readonly backend: FakeBackend;
  readonly client: GatewayClient;
  readonly gateway: Gateway;
  readonly advance: (ms: number) => void;
  /** The server accepts the connection, and has no other session. */
  readonly accept: () => void;
  readonly stats: readonly BackendStat[];
  readonly enter: () => GatewayClient;
  /** Sends an append with this id. */
  readonly append: (inputId: string, more?: Partial<Append>) => void;
  /** The client's events since the last call, abbreviated. */
  readonly news: () => readonly string[];
}

type Append = Extract<ClientEvent, { kind: 'append' }>;

/** A client with a session of a fake model server, before `created`. */
export function openBackendHarness(
  mode: 'audio' | 'video' | 'chat' = 'audio',
  options: Partial<GatewayOptions> = {},
  settings: SessionSettings = {},
): BackendHarness {
  const backend = new FakeBackend();
  const metrics = new GatewayMetrics();
  const stats: BackendStat[] = [];
  const count = metrics.record;
  const scene = setGatewayScene(
    { contextTokens: 4096, ...options },
    {
      backends: {
        servers: [backend],
        codec: createBackendCodec(bufferBase64),
        defaultVoice: new Float32Array(160).fill(0.5),
        metrics: Object.assign(metrics, {
          record: (stat: BackendStat) => {
            stats.push(stat);
            count(stat);
          },
        }),
      },
    },
  );
  const client = scene.enter(mode);
  client.ask({ kind: 'configure', settings });
  return {
    backend,
    client,
    gateway: scene.gateway,
    advance: (ms) => {
      scene.clock.advance(ms);
    },
    accept: () => {
      backend.socket.open();
      scene.clock.advance(50);
    },
    stats,
    enter: () => scene.enter(mode),
    append: (inputId, more = {}) => {
      client.ask({ kind: 'append', audio: silence(1000), inputId, ...more });
    },
    news: () => client.news().map(abbreviate),
  };
}

/** Like `openBackendHarness`, with a live session. */
export function openLiveHarness(...stage: Parameters<typeof openBackendHarness>): BackendHarness {
  const opened = openBackendHarness(...stage);
  opened.accept();
  opened.backend.send({ type: 'session.created', session_id: 'backend-1' });
  opened.client.news();
  return opened;
}

function abbreviate(event: ServerEvent): string {
  if (event.kind === 'unknown' || event.kind === 'malformed') return event.kind;
  const { kind, inputId = '-' } = event;
  const turn = event.responseId === undefined ? '' : ' of a turn';
  if (event.kind === 'listen') return `${inputId} listen${turn}`;
  if (event.kind === 'closed') return `closed ${event.reason}`;
  if (event.kind === 'error') return `error ${event.code}`;
  if (event.kind !== 'output') return kind;
  if (event.endOfTurn === true) return `${inputId} end of turn`;
  return event.audio === undefined ? `${inputId} "${event.text ?? ''}"` : `${inputId} sound`;
}
