import { Timer } from '../../shared/ports/clock.ts';
import { oversizeReason, type SocketEnd } from '../../shared/ports/sockets.ts';
import {
  type SessionSettings,
  type Mode,
  normalClosure,
  tryAgainLater,
  type ClosedEvent,
  type CreatedEvent,
  type Metrics,
  type ServerErrorEvent,
} from '../../shared/protocol/realtime-api.ts';
import { ChatRelay } from './chat-relay.ts';
import { DuplexRelay } from './duplex-relay.ts';
import { ContextCounter } from './context-counter.ts';
import type { RelayEnvironment, RequestProblem } from './gateway-model.ts';
import { BackendSocket } from './backend-socket.ts';
import type { Backend } from './backend.ts';
import type { ConnectionContext } from './connection-context.ts';
import type { CreatedDetails, RunningModel } from './demonstration-session.ts';
import { chatOnly, duplexOnly, type SessionModel } from './duplex-model.ts';
import { type BackendDeps, makeGatewayId } from './gateway-options.ts';
import type { WorkerReturn } from './worker-slots.ts';

/** Limit on creating a session. The first session also loads the model. */
const defaultCreationMs = 70_000;
/** After the ends of this many steps came twice, the server counts as one that sends every frame twice. */
const minRepeatedEnds = 2;
/** A session with this many malformed frames ends. */
const maxMalformedFrames = 20;

/** Why the model server gave the client no session. */
export interface Unavailable {
  readonly how: 'lost' | 'occupied';
  readonly code: 'worker_connect_failed' | 'worker_busy';
  readonly message: string;
}

export interface BackendSessionDeps extends Pick<
  RelayEnvironment,
  'options' | 'clock' | 'emit' | 'newResponseId' | 'record'
> {
  readonly backend: Backend;
  readonly backends: Pick<BackendDeps, 'codec' | 'defaultVoice' | 'creationMs'>;
  /** Called once, when the server has accepted the connection and is not occupied. */
  readonly onReady: () => void;
  /** The server used no settings, so another server can take the client. No callback follows. */
  readonly onUnavailable: (why: Unavailable) => void;
  /** Called once, unless the session fails first. */
  readonly onCreated: (created: CreatedDetails) => void;
  /**
   * The session failed with a documented error code. At most one of this and `onClosed` is called, and neither after
   * `end`.
   */
  readonly onFailed: (code: string, message: string, closeCode: number) => void;
  readonly onClosed: (reason: string, diagnostic?: string) => void;
  /** Called once after `end`, when the server can take the next session or is lost. */
  readonly onReleased: (how: WorkerReturn) => void;
}

type Hooks = Pick<
  BackendSessionDeps,
  'onReady' | 'onUnavailable' | 'onCreated' | 'onFailed' | 'onClosed' | 'onReleased'
>;

/** Connects to the worker's model server for a client of the gateway. */
export function openBackendSession(
  { deps, emit, options, sessionId }: ConnectionContext,
  backend: Backend,
  backends: BackendDeps,
  hooks: Hooks,
): BackendSession {
  return new BackendSession({
    ...hooks,
    backend,
    backends,
    record: (stat) => backends.metrics?.record(stat),
    options,
    clock: deps.clock,
    emit: (event) => emit({ ...event, sessionId }),
    newResponseId: () => makeGatewayId('resp', deps.random),
  });
}

interface ActiveRelay {
  readonly relay: DuplexRelay | ChatRelay;
  readonly model: SessionModel;
  readonly context: ContextCounter;
}

/**
 * One session of the gateway with a model server. Connects at once, begins when the client has configured it, and after
 * `end` waits until the server is free.
 */
export class BackendSession implements RunningModel {
  readonly #deps: BackendSessionDeps;
  readonly #socket: BackendSocket;
  readonly #timer: Timer;
  /** Set from `begin` on. */
  #active: ActiveRelay | undefined;
  #startedAt = 0;
  #phase: 'connecting' | 'ready' | 'creating' | 'live' | 'over' = 'connecting';
  #isEnding = false;
  #wasCreated = false;
  #workerReturn: WorkerReturn = 'clean';
  /** The model server's id of the session; the client has another one, from the gateway. */
  #sessionId: string | undefined;
  #hasClosed = false;
  #usage: Metrics | undefined;
  #malformedFrames = 0;
  #lastStampedFrame: string | undefined;
  /** The previous frame, unless it repeated the one before it. */
  #lastFrame: string | undefined;
  /** How many ends of steps in a row came twice. */
  #repeatedEnds = 0;

  constructor(deps: BackendSessionDeps) {
    this.#deps = deps;
    this.#timer = new Timer(deps.clock);
    this.#socket = new BackendSocket(deps.backend, deps.clock, {
      onReady: () => {
        this.#phase = 'ready';
        deps.onReady();
      },
      onReceived: (text) => this.#receive(text),
      onEnded: (end) => this.#onSocketEnd(end),
      onReleased: (how) => {
        if (this.#wasCreated) deps.record({ kind: 'ended' });
        deps.onReleased(how);
      },
    });
  }

  /** Call it only after `onReady`. */
  begin(mode: Mode, settings: SessionSettings): void {
    if (this.#phase !== 'ready') return;
    const { backends, clock } = this.#deps;
    const { creationMs = defaultCreationMs } = backends;
    this.#phase = 'creating';
    this.#startedAt = clock.now();
    this.#active = this.#openRelay(mode, settings);
    this.#timer.set(creationMs, () => {
      const seconds = Math.round(creationMs / 1000);
      this.#workerReturn = 'lost';
      this.#fail('session_failed', `the model was not ready after ${seconds} s`, normalClosure);
    });
    const frame = backends.codec.encodeInit({
      mode: mode === 'chat' ? 'turn_based' : 'full_duplex',
      settings,
      defaultVoice: backends.defaultVoice,
    });
    this.#socket.send(frame);
  }

  #openRelay(mode: Mode, settings: SessionSettings): ActiveRelay {
    const { backend, backends, options, record } = this.#deps;
    const context = new ContextCounter(options.contextTokens, settings.instructions);
    const environment: RelayEnvironment = {
      ...this.#deps,
      mode,
      settings,
      codec: backends.codec,
      context,
      onStep: backend.onStep,
      send: (frame) => this.#socket.send(frame),
      onContextFull: () => this.#close('context_full'),
      onTooLarge: () => this.#close('too_large', 'the message is too large for the model server'),
      onSilent: () => {
        record({ kind: 'error', code: 'backend_error' });
        this.#workerReturn = 'lost';
        this.#close('backend_error', 'the model server does not answer');
      },
    };
    if (mode === 'chat') {
      const chat = new ChatRelay(environment);
      return { relay: chat, model: chatOnly(chat), context };
    }
    const duplex = new DuplexRelay(environment);
    return { relay: duplex, model: duplexOnly(duplex), context };
  }

  /** The session's token usage, if the server counts it. */
  get metrics(): Metrics | undefined {
    return this.#usage;
  }

  accept(input: Parameters<SessionModel['accept']>[0]): RequestProblem | undefined {
    return this.#phase === 'live' ? this.#active?.model.accept(input) : undefined;
  }

  end(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    const isLoading = this.#active !== undefined && this.#sessionId === undefined;
    this.#stop();
    if (this.#hasClosed) this.#socket.release({ kind: 'ended' }, this.#workerReturn);
    else if (this.#sessionId !== undefined)
      this.#socket.release({ kind: 'running', id: this.#sessionId }, this.#workerReturn);
    else
      this.#socket.release(
        { kind: 'none' },
        isLoading && this.#workerReturn === 'clean' ? 'abrupt' : this.#workerReturn,
      );
  }

  #stop(): void {
    this.#phase = 'over';
    this.#timer.stop();
    this.#active?.relay.end();
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

  #receive(text: string | undefined): void {
    const event =
      text === undefined
        ? ({ kind: 'malformed', problem: 'binary' } as const)
        : this.#deps.backends.codec.decode(text);
    if ('serverTime' in event && event.serverTime !== undefined) {
      // A frame with the same text and server time as the previous one is a repeat.
      if (text === this.#lastStampedFrame) return;
      this.#lastStampedFrame = text;
    }
    if ('metrics' in event && event.metrics?.usage !== undefined)
      this.#usage = { values: {}, usage: event.metrics.usage };
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
        if (this.#isRepeat(text, event.kind)) return;
        if (this.#phase === 'live') this.#active?.relay.receive(event);
        return;
      case 'malformed':
        this.#deps.record({ kind: 'ignored', what: 'malformed' });
        this.#malformedFrames += 1;
        if (this.#malformedFrames < maxMalformedFrames) return;
        this.#failMalformed('the model server sends frames that are not events');
        return;
      case 'unknown':
      case 'toolCall':
      case 'queued':
      case 'admitted':
        this.#deps.record({ kind: 'ignored', what: 'unknown' });
    }
  }

  /**
   * Whether the server sends every frame twice, and this is the second. Only ends of steps prove that a server does so:
   * two equal frames of text may be the same word spoken twice.
   */
  #isRepeat(text: string | undefined, kind: 'listen' | 'output' | 'done'): boolean {
    if (text !== undefined && text === this.#lastFrame) {
      this.#lastFrame = undefined;
      if (kind !== 'output') this.#repeatedEnds += 1;
      return this.#repeatedEnds >= minRepeatedEnds;
    }
    if (this.#lastFrame !== undefined) this.#repeatedEnds = 0;
    this.#lastFrame = text;
    return false;
  }

  #onCreated({ sessionId, metrics }: CreatedEvent): void {
    this.#sessionId ??= sessionId;
    const context = this.#active?.context;
    if (this.#phase !== 'creating' || context === undefined) return;
    this.#phase = 'live';
    this.#wasCreated = true;
    this.#timer.stop();
    const { clock, onCreated, record } = this.#deps;
    record({ kind: 'created', ms: clock.now() - this.#startedAt });
    context.report(metrics?.contextTokens);
    // The legacy dialect requires the prompt's length, which the server may not report.
    onCreated({ promptLength: context.tokens, metrics });
  }

  #onServerClosed({ reason, diagnostic }: ClosedEvent): void {
    this.#hasClosed = true;
    if (this.#isEnding) this.#socket.close();
    if (this.#phase === 'creating') {
      // A server that refuses a voice can still serve other sessions.
      if (!reason.includes('voice')) this.#workerReturn = 'lost';
      this.#fail(
        'session_failed',
        `the model server refused the session: ${reason}`,
        normalClosure,
      );
    } else if (reason === 'timeout' || reason === 'context_full') {
      this.#close(reason, diagnostic);
    } else if (this.#phase === 'live') {
      this.#deps.record({ kind: 'error', code: 'backend_error' });
      this.#close('backend_error', diagnostic ?? reason);
    }
  }

  #onServerError({ code, message }: ServerErrorEvent): void {
    if (this.#phase === 'creating')
      this.#fail('session_failed', `${code}: ${message}`, normalClosure);
    if (this.#phase !== 'live') return;
    this.#deps.record({ kind: 'error', code: 'inference_failed' });
    const type = 'server_error';
    this.#deps.emit({ kind: 'error', code: 'inference_failed', message, type });
    const relay = this.#active?.relay;
    if (relay instanceof ChatRelay) relay.fail();
  }

  #onSocketEnd(end: SocketEnd): void {
    if (this.#phase === 'connecting' || this.#phase === 'ready' || this.#phase === 'creating') {
      this.#onEarlyEnd(end);
    } else if (this.#phase === 'live') {
      this.#workerReturn = 'lost';
      this.#deps.record({ kind: 'error', code: 'backend_error' });
      this.#close('backend_error', lossDiagnostic(end));
    }
  }

  #onEarlyEnd(end: SocketEnd): void {
    const why = whyUnavailable(end);
    // The session's settings may have crashed the server, so they must not be tried on the next server.
    const isHarmless = this.#phase !== 'creating' || why.how === 'occupied';
    if (isHarmless) {
      this.#stop();
      this.#deps.onUnavailable(why);
    } else {
      this.#workerReturn = why.how;
      this.#fail(why.code, why.message, tryAgainLater);
    }
  }

  #failMalformed(diagnostic: string): void {
    if (this.#phase === 'creating') {
      this.#fail('session_failed', diagnostic, normalClosure);
      return;
    }
    if (this.#phase !== 'live') return;
    this.#deps.record({ kind: 'error', code: 'backend_error' });
    this.#close('backend_error', diagnostic);
  }
}

function whyUnavailable(end: SocketEnd): Unavailable {
  // A server that has a session hangs up on a second client without a word.
  if (end.kind === 'closed' && end.code === normalClosure) {
    const message = 'the model server has another session';
    return { how: 'occupied', code: 'worker_busy', message };
  }
  const message =
    end.kind === 'refused'
      ? `the model server answered HTTP ${end.status}`
      : 'the model server cannot be reached';
  return { how: 'lost', code: 'worker_connect_failed', message };
}

function lossDiagnostic(end: SocketEnd): string {
  return end.kind === 'closed' && end.reason === oversizeReason
    ? 'the model server sent a message that is too large'
    : 'the connection to the model server was lost';
}
