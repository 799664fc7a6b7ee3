import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { soundFromWav } from '../../electron/audio/dsp/sound-from-wav.ts';
import type { GatewayOptions } from '../../electron/gateway/gateway-options.ts';
import type { NoticeName, Notices } from '../../shared/ipc/contract.ts';
import {
  inputRate,
  type DialectName,
  type AppendEvent,
  type ClientEvent,
  type OutputEvent,
  type ServerEvent,
} from '../../shared/protocol/realtime-api.ts';
import type { TalkView } from '../../shared/talk/talk-view.ts';
import { instant } from '../contract/sound/player.ts';
import { say } from '../contract/sound/run-tool.ts';
import { SoundServer } from '../contract/sound/sound-server.ts';
import { ModuleProcess } from './module-process.ts';
import { Monitor } from './monitor.ts';
import type { ParleyMessage } from './parley-process.ts';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { createClientCodec } from '../../shared/protocol/client-codec.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';

interface SentEvent {
  readonly at: number;
  readonly event: ClientEvent;
}

interface ReceivedEvent {
  readonly at: number;
  readonly event: ServerEvent;
}

/** From the request for a connection until the server created its session. */
interface SessionStart {
  readonly askedAt: number;
  readonly createdAt: number;
}

const serverCodec = createServerCodec(bufferBase64);
const clientCodec = createClientCodec(bufferBase64);

/**
 * The network between Parley and a gateway: it forwards and records everything, and can be cut. Without a target it
 * refuses connections.
 */
class TappedConnection {
  readonly sent: SentEvent[] = [];
  readonly events: ReceivedEvent[] = [];
  readonly starts: SessionStart[] = [];
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
    const askedAt = instant();
    const upstream = new WebSocket(new URL(request.url ?? '', this.target));
    socket.on('close', () => {
      upstream.terminate();
    });
    upstream.on('error', () => socket.destroy());
    upstream.once('open', () => {
      this.#webSockets.handleUpgrade(request, socket, head, (downstream) => {
        this.#join(downstream, upstream, askedAt);
      });
    });
  }

  #join(downstream: WebSocket, upstream: WebSocket, askedAt: number): void {
    downstream.on('error', () => undefined);
    downstream.on('message', (data: Buffer, binary) => {
      if (!binary) this.#recordSent(data.toString());
      this.#pass(() => {
        upstream.send(data, { binary });
      });
    });
    upstream.on('message', (data: Buffer, binary) => {
      this.#pass(() => {
        if (!binary) this.#recordReceived(data.toString(), askedAt);
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

  #recordReceived(text: string, askedAt: number): void {
    const received = { at: instant(), event: clientCodec.decodeServerEvent(text) };
    this.events.push(received);
    if (received.event.kind === 'created') this.starts.push({ askedAt, createdAt: received.at });
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

interface Reply {
  readonly ok: boolean;
  readonly value?: unknown;
  readonly error?: { readonly message: string };
}

type TimedNotice = Extract<ParleyMessage, { readonly notice: unknown }>['notice'] & {
  readonly at: number;
};

/** Longer than any wait here takes on a busy machine. */
const patienceMs = 20_000;

/**
 * Parley and a gateway in child processes, a network tap between them, and a virtual sound card, through which the user
 * speaks and listens.
 */
export class TalkHarness {
  readonly connection: TappedConnection;
  readonly sound = new SoundServer('short');
  readonly monitor = new Monitor(this.sound.environment);
  readonly notices: TimedNotice[] = [];
  /** How late timers of this process are, in nanoseconds, since Parley is ready. */
  readonly lateness = monitorEventLoopDelay();
  readonly #folder = mkdtempSync(join(tmpdir(), 'parley-scenes-'));
  readonly #replies = new Map<number, (reply: Reply) => void>();
  #parley: ModuleProcess | undefined;
  #gateway: ModuleProcess | undefined;
  #asked = 0;

  constructor(dialect: DialectName) {
    this.connection = new TappedConnection(dialect);
  }

  /** `known` is the dialect in the settings; with `auto`, Parley detects it. */
  async open(known: 'auto' | DialectName = 'auto'): Promise<void> {
    await this.sound.start();
    this.monitor.listen();
    const url = await this.connection.open();
    this.#parley = new ModuleProcess('./parley-process.ts', [url, known], {
      ...this.sound.environment,
      PARLEY_STATE_DIR: this.#folder,
    });
    const ready = new Promise((resolve) => this.#replies.set(0, resolve));
    this.#parley.process.on('message', (message: ParleyMessage) => {
      if ('notice' in message) this.notices.push({ ...message.notice, at: instant() });
      else this.#replies.get(message.id)?.(message.reply as Reply);
    });
    this.#parley.process.once('exit', () => {
      for (const reply of this.#replies.values()) {
        reply({ ok: false, error: { message: `Parley is gone: ${this.stderr}` } });
      }
    });
    await ready;
    this.lateness.enable();
  }

  get stderr(): string {
    return this.#parley?.stderr ?? '';
  }

  /** Starts a gateway, and kills the previous one without closing its connections. */
  async serve(options: Partial<GatewayOptions>): Promise<void> {
    await this.#gateway?.kill();
    const gateway = new ModuleProcess('./gateway-process.ts', [JSON.stringify(options)]);
    this.#gateway = gateway;
    const [message] = (await once(gateway.process, 'message')) as [{ readonly url: string }];
    this.connection.target = message.url;
  }

  async killGateway(): Promise<void> {
    this.connection.target = undefined;
    await this.#gateway?.kill();
  }

  async ask(name: string, input?: unknown): Promise<Reply> {
    this.#asked += 1;
    const id = this.#asked;
    const reply = new Promise<Reply>((resolve) => this.#replies.set(id, resolve));
    this.#parley?.process.send({ id, name, input });
    const answered = await reply;
    this.#replies.delete(id);
    return answered;
  }

  async do(name: string, input?: unknown): Promise<void> {
    const reply = await this.ask(name, input);
    if (!reply.ok) throw new Error(`${name}: ${JSON.stringify(reply)}`);
  }

  async view(): Promise<TalkView> {
    return (await this.ask('talk')).value as TalkView;
  }

  async until(what: string, isIt: (view: TalkView) => boolean): Promise<TalkView> {
    let view: TalkView | undefined;
    await this.eventually(
      what,
      async () => {
        view = await this.view();
        return isIt(view);
      },
      () => JSON.stringify(view),
    );
    return this.view();
  }

  async eventually(
    what: string,
    isIt: () => boolean | Promise<boolean>,
    otherwise: () => string = () => '',
  ): Promise<void> {
    const until = instant() + patienceMs;
    while (!(await isIt())) {
      if (instant() > until) throw new Error(`Timed out waiting until ${what}. ${otherwise()}`);
      await wait(50);
    }
  }

  noticesOf<Name extends NoticeName>(name: Name, since = 0): readonly Notices[Name][] {
    return this.notices.flatMap((notice) =>
      notice.name === name && notice.at >= since ? [notice.payload as Notices[Name]] : [],
    );
  }

  /** Plays the samples into the microphone, and returns at their end. */
  async speak(samples: Float32Array): Promise<void> {
    await say(samples, inputRate, this.sound.environment);
  }

  async end(): Promise<void> {
    this.lateness.disable();
    this.monitor.end();
    this.#parley?.process.send({ id: -1, name: 'quit' });
    const went = await this.#parley?.exited();
    await this.#gateway?.kill();
    await this.connection.end();
    await this.sound.end();
    rmSync(this.#folder, { recursive: true, force: true });
    if (went === false) throw new Error('Parley does not quit on request.');
  }
}

export function sentence(name: string, rate = inputRate): Float32Array {
  const sound = soundFromWav(readFileSync(`resources/speech/${name}.wav`), rate, 60);
  if (!sound.ok) throw new Error(sound.error.code);
  return sound.value;
}
