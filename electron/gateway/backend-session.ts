import { Timer } from '../../shared/ports/clock.ts';
import { oversizeReason, type SocketEnd } from '../../shared/ports/sockets.ts';
import type {
  AppendEvent,
  ChatTurnEvent,
  SessionSettings,
} from '../../shared/protocol/client-event.ts';
import type { Mode } from '../../shared/protocol/realtime-api.ts';
import type {
  ClosedEvent,
  CreatedEvent,
  Metrics,
  ServerErrorEvent,
} from '../../shared/protocol/server-event.ts';
import { BackendChat } from './backend-chat.ts';
import { BackendDuplex } from './backend-duplex.ts';
import { BackendContext, type BackendEnvironment } from './backend-environment.ts';
import type { Backend } from './backend.ts';
import type { ConnectionContext } from './connection-context.ts';
import type { CreatedDetails, RunningModel } from './demonstration.ts';
import { chatOnly, duplexOnly, type SessionModel } from './duplex-model.ts';
import type { RequestProblem } from './gateway-model.ts';
import type { BackendDeps } from './gateway-options.ts';
import { makeGatewayId } from './server-profile.ts';
import type { WorkerReturn } from './worker-pool.ts';

/** The first session loads the model. */
const usualCreationMs = 70_000;
/** The server has this long to end its session before the connection is cut. */
const closeMs = 2000;
/** A session with this many unreadable frames ends. */
const maxMalformed = 20;

const normal = 1000;
const tryAgainLater = 1013;

export interface BackendSessionDeps extends Pick<
  BackendEnvironment,
  'mode' | 'options' | 'settings' | 'clock' | 'emit' | 'newResponseId' | 'record'
> {
  readonly backend: Backend;
  readonly backends: Pick<BackendDeps, 'codec' | 'defaultVoice' | 'creationMs'>;
  /** Once, unless the session fails before. */
  readonly onCreated: (created: CreatedDetails) => void;
  /** The session failed with an error of the documents. At most one of the two is called, and not after `end`. */
  readonly onFailed: (code: string, message: string, closeCode: number) => void;
  readonly onClosed: (reason: string, diagnostic?: string) => void;
  /** Once after `end`, when the server can take the next session. */
  readonly onReleased: (how: WorkerReturn) => void;
}

/** One session with a model server, from the connection to the server's release. */
type Hooks = Pick<BackendSessionDeps, 'onCreated' | 'onFailed' | 'onClosed' | 'onReleased'>;

/** Opens a session with the worker's model server for a client of the gateway. */
export function openBackendSession(
  { deps, emit, options, sessionId }: ConnectionContext,
  backend: Backend,
  backends: BackendDeps,
  mode: Mode,
  settings: SessionSettings,
  hooks: Hooks,
): RunningModel {
  return new BackendSession({
    ...hooks,
    backend,
    backends,
    record: (stat) => backends.metrics?.record(stat),
    mode,
    options,
    settings,
    clock: deps.clock,
    emit: (event) => {
      emit({ ...event, sessionId });
    },
    newResponseId: () => makeGatewayId('resp', deps.random),
  });
}

class BackendSession implements RunningModel {
  readonly #deps: BackendSessionDeps;
  readonly #socket: ReturnType<Backend['connect']>;
  readonly #exchange: BackendDuplex | BackendChat;
  readonly #model: SessionModel;
  readonly #context: BackendContext;
  readonly #timer: Timer;
  readonly #startedAt: number;
  #phase: 'creating' | 'live' | 'over' = 'creating';
  #isOpen = true;
  #isEnding = false;
  #isReleased = false;
  #wasCreated = false;
  #how: WorkerReturn = 'clean';
  /** The server's id, which only it knows. */
  #sessionId: string | undefined;
  #hasClosed = false;
  #usage: Metrics | undefined;
  #malformed = 0;
  #lastStamped: string | undefined;

  constructor(deps: BackendSessionDeps) {
    this.#deps = deps;
    const { backend, backends, clock, mode, options, record, settings } = deps;
    const { creationMs = usualCreationMs } = backends;
    this.#timer = new Timer(clock);
    this.#startedAt = clock.now();
    this.#context = new BackendContext(options.contextTokens, settings.instructions);
    const environment: BackendEnvironment = {
      ...deps,
      codec: backends.codec,
      context: this.#context,
      send: (frame) => {
        if (this.#isOpen) this.#socket.send(frame);
      },
      onContextFull: () => {
        this.#close('context_full');
      },
      onSilent: () => {
        record({ kind: 'error', code: 'backend_error' });
        this.#how = 'lost';
        this.#close('backend_error', 'the model server does not answer');
      },
    };
    if (mode === 'chat') {
      const chat = new BackendChat(environment);
      this.#exchange = chat;
      this.#model = chatOnly(chat);
    } else {
      const duplex = new BackendDuplex(environment);
      this.#exchange = duplex;
      this.#model = duplexOnly(duplex);
    }
    this.#timer.set(creationMs, () => {
      const seconds = Math.round(creationMs / 1000);
      this.#how = 'lost';
      this.#fail('session_failed', `the model was not ready after ${seconds} s`, normal);
    });
    this.#socket = backend.connect({
      opened: () => {
        this.#start();
      },
      received: (text) => {
        this.#receive(text);
      },
      ended: (end) => {
        this.#onSocketEnd(end);
      },
    });
  }

  /** The session's token usage, if the server counts it. */
  get metrics(): Metrics | undefined {
    return this.#usage;
  }

  accept(ask: AppendEvent | ChatTurnEvent): RequestProblem | undefined {
    return this.#phase === 'live' ? this.#model.accept(ask) : undefined;
  }

  /** Ends the server's session by its own request, and after two seconds by the connection. */
  end(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    const hadSession = this.#phase === 'live' || this.#sessionId !== undefined;
    this.#stop();
    if (!this.#isOpen) {
      this.#release();
      return;
    }
    this.#timer.set(closeMs, () => {
      this.#how = 'lost';
      this.#terminate();
    });
    if (this.#hasClosed) this.#socket.close(normal, '');
    else if (hadSession && this.#sessionId !== undefined) void this.#closeSession(this.#sessionId);
    else {
      // A server without a session loads the model, and cannot be asked to stop.
      if (this.#how === 'clean') this.#how = 'abrupt';
      this.#terminate();
    }
  }

  async #closeSession(sessionId: string): Promise<void> {
    const hasClosed = await this.#deps.backend
      .closeSession(sessionId, 'client_closed')
      .catch(() => false);
    if (this.#isReleased) return;
    if (hasClosed) this.#socket.close(normal, '');
    else {
      this.#how = 'lost';
      this.#terminate();
    }
  }

  #terminate(): void {
    this.#socket.terminate();
    this.#isOpen = false;
    this.#release();
  }

  #release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#timer.stop();
    if (this.#wasCreated) this.#deps.record({ kind: 'ended' });
    this.#deps.onReleased(this.#how);
  }

  #stop(): void {
    this.#phase = 'over';
    this.#timer.stop();
    this.#exchange.end();
  }

  #fail(code: string, message: string, closeCode: number): void {
    if (this.#phase === 'over') return;
    this.#deps.record({ kind: 'error', code });
    this.#stop();
    this.#deps.onFailed(code, message, closeCode);
  }

  #close(reason: string, diagnostic?: string): void {
    if (this.#phase === 'over') return;
    this.#stop();
    this.#deps.onClosed(reason, diagnostic);
  }

  #start(): void {
    if (this.#phase !== 'creating') return;
    const { backends, mode, settings } = this.#deps;
    const frame = backends.codec.encodeInit({
      mode: mode === 'chat' ? 'turn_based' : 'full_duplex',
      settings,
      defaultVoice: backends.defaultVoice,
    });
    this.#socket.send(frame);
  }

  #receive(text: string | undefined): void {
    const event =
      text === undefined
        ? ({ kind: 'malformed', problem: 'binary' } as const)
        : this.#deps.backends.codec.decode(text);
    if ('serverTime' in event && event.serverTime !== undefined) {
      // The same event with the same time is the same event.
      if (text === this.#lastStamped) return;
      this.#lastStamped = text;
    }
    if ('metrics' in event && event.metrics?.usage !== undefined)
      this.#usage = { figures: {}, usage: event.metrics.usage };
    switch (event.kind) {
      case 'created':
        this.#onCreated(event);
        return;
      case 'closed':
        this.#onServerClosed(event);
        return;
      case 'error':
        this.#onServerError(event);
        return;
      case 'listen':
      case 'output':
      case 'done':
        if (this.#phase === 'live') this.#exchange.receive(event);
        return;
      case 'malformed':
        this.#deps.record({ kind: 'ignored', what: 'malformed' });
        this.#malformed += 1;
        if (this.#malformed < maxMalformed) return;
        this.#breakOff('the model server sends frames that are not events');
        return;
      case 'unknown':
      case 'queued':
      case 'admitted':
        this.#deps.record({ kind: 'ignored', what: 'unknown' });
    }
  }

  #onCreated({ sessionId, metrics }: CreatedEvent): void {
    this.#sessionId ??= sessionId;
    if (this.#phase !== 'creating') return;
    this.#phase = 'live';
    this.#wasCreated = true;
    this.#timer.stop();
    const { clock, onCreated, record } = this.#deps;
    record({ kind: 'created', ms: clock.now() - this.#startedAt });
    this.#context.report(metrics?.contextTokens);
    // The legacy documents require the length, which the server may not tell.
    onCreated({ promptLength: this.#context.tokens, metrics });
  }

  #onServerClosed({ reason, diagnostic }: ClosedEvent): void {
    this.#hasClosed = true;
    if (this.#isEnding) this.#socket.close(normal, '');
    if (this.#phase === 'creating') {
      // A voice that the server cannot use says nothing about the server.
      if (!reason.includes('voice')) this.#how = 'lost';
      this.#fail('session_failed', `the model server refused the session: ${reason}`, normal);
    } else if (reason === 'timeout' || reason === 'context_full') {
      this.#close(reason, diagnostic);
    } else if (this.#phase === 'live') {
      this.#deps.record({ kind: 'error', code: 'backend_error' });
      this.#close('backend_error', diagnostic ?? reason);
    }
  }

  #onServerError({ code, message }: ServerErrorEvent): void {
    if (this.#phase === 'creating') this.#fail('session_failed', `${code}: ${message}`, normal);
    if (this.#phase !== 'live') return;
    this.#deps.record({ kind: 'error', code: 'inference_failed' });
    const type = 'server_error';
    this.#deps.emit({ kind: 'error', code: 'inference_failed', message, type });
  }

  #onSocketEnd(end: SocketEnd): void {
    this.#isOpen = false;
    if (this.#phase === 'creating') {
      this.#how = 'lost';
      // A server that has a session hangs up on a second client without a word.
      const isBusy = end.kind === 'closed' && end.code === normal;
      if (isBusy) this.#fail('worker_busy', 'the model server has another session', tryAgainLater);
      else this.#fail('worker_connect_failed', connectProblem(end), tryAgainLater);
    } else if (this.#phase === 'live') {
      this.#how = 'lost';
      this.#deps.record({ kind: 'error', code: 'backend_error' });
      this.#close('backend_error', lossOf(end));
    }
    if (this.#isEnding) this.#release();
  }

  #breakOff(diagnostic: string): void {
    if (this.#phase === 'creating') {
      this.#fail('session_failed', diagnostic, normal);
      return;
    }
    this.#deps.record({ kind: 'error', code: 'backend_error' });
    this.#close('backend_error', diagnostic);
  }
}

function connectProblem(end: SocketEnd): string {
  return end.kind === 'refused'
    ? `the model server answered HTTP ${end.status}`
    : 'the model server cannot be reached';
}

function lossOf(end: SocketEnd): string {
  return end.kind === 'closed' && end.reason === oversizeReason
    ? 'the model server sent a message that is too large'
    : 'the connection to the model server was lost';
}
