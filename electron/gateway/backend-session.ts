import type { Socket, SocketEnd } from '../../shared/ports/sockets.ts';
import type { AppendEvent, ChatTurnEvent } from '../../shared/protocol/client-event.ts';
import type { ClosedEvent, Metrics, ServerEvent } from '../../shared/protocol/server-event.ts';
import { BackendChat } from './backend-chat.ts';
import { BackendDuplex } from './backend-duplex.ts';
import type { Backend, BackendStat } from './backend.ts';
import type { BackendDeps } from './gateway-options.ts';
import type { GatewayModel, ModelEnvironment, RequestProblem } from './gateway-model.ts';

/** The first session loads the model, which takes up to a minute. */
const creationMs = 90_000;
/** The server stops its threads before it answers a close. */
const closeMs = 2000;
/** Invalid events of one session after which it ends. */
const maxMalformed = 10;

export interface BackendFailure {
  readonly code: 'worker_connect_failed' | 'worker_busy' | 'session_failed';
  readonly message: string;
  readonly closeCode: 1000 | 1013;
}

export interface BackendSessionDeps {
  readonly backend: Backend;
  readonly backends: Pick<BackendDeps, 'codec' | 'defaultVoice'>;
  readonly environment: ModelEnvironment;
  readonly validate: (input: AppendEvent | ChatTurnEvent) => RequestProblem | undefined;
  readonly onCreated: (metrics: Metrics | undefined) => void;
  /** The session could not be created. `isLost` if the server does not answer. */
  readonly onFailed: (failure: BackendFailure, isLost: boolean) => void;
  /** The live session has ended on the server's side. */
  readonly onEnded: (reason: string, diagnostic: string | undefined, isLost: boolean) => void;
  readonly record: (stat: BackendStat) => void;
}

type Phase = 'connecting' | 'creating' | 'live' | 'over';

/** One session with a model server. Its phases are those of the connection to it. */
export class BackendSession implements GatewayModel<AppendEvent | ChatTurnEvent> {
  readonly #deps: BackendSessionDeps;
  readonly #socket: Socket;
  readonly #duplex: BackendDuplex | undefined;
  readonly #chat: BackendChat | undefined;
  readonly #stopWaiting: () => void;
  readonly #begunAt: number;
  #phase: Phase = 'connecting';
  #sessionId: string | undefined;
  #malformed = 0;
  #contextTokens = 0;
  #largestStep = 0;

  constructor(deps: BackendSessionDeps) {
    this.#deps = deps;
    const { environment, backend } = deps;
    const { clock } = environment.deps;
    this.#begunAt = clock.now();
    const { emit, newResponseId, settings, options } = environment;
    const shared = { clock, emit, newResponseId };
    const send = (input: AppendEvent | ChatTurnEvent): void =>
      this.#socket.send(deps.backends.codec.encodeInput(input));
    if (environment.mode === 'chat') {
      this.#chat = new BackendChat({ ...shared, send });
    } else {
      this.#duplex = new BackendDuplex({
        ...shared,
        dialect: options.dialect,
        speaks: settings.generation?.generateAudio !== false,
        send: (append) =>
          send({
            ...append,
            maxSlices: append.maxSlices ?? settings.maxSlices,
            inputId: undefined,
          }),
        record: deps.record,
      });
    }
    this.#stopWaiting = clock.after(creationMs, () => {
      const seconds = creationMs / 1000;
      this.#fail('session_failed', `the model was not ready within ${seconds} seconds`, true);
    });
    this.#socket = backend.connect({
      opened: () => this.#opened(),
      received: (text) => this.#received(text),
      ended: (end) => this.#ended(end),
    });
  }

  readonly accept = (input: AppendEvent | ChatTurnEvent): RequestProblem | undefined => {
    const problem = this.#deps.validate(input);
    if (problem !== undefined) return problem;
    if (input.kind === 'append') {
      if (this.#duplex === undefined)
        return { code: 'missing_field', message: 'messages field is required' };
      this.#duplex.accept(input);
      return undefined;
    }
    if (this.#chat === undefined)
      return { code: 'missing_field', message: 'audio field is required' };
    return this.#chat.accept(input)
      ? undefined
      : { code: 'invalid_payload', message: 'too many turns wait for an answer' };
  };

  readonly end = (): void => {
    if (this.#phase === 'over') return;
    this.#over();
    this.#close('client_closed');
  };

  #opened(): void {
    if (this.#phase !== 'connecting') return;
    this.#phase = 'creating';
    const { settings } = this.#deps.environment;
    const { codec, defaultVoice } = this.#deps.backends;
    const mode = this.#chat === undefined ? 'full_duplex' : 'turn_based';
    this.#socket.send(codec.encodeInit(mode, settings, defaultVoice));
  }

  #received(text: string | undefined): void {
    if (this.#phase === 'over') return;
    const event: ServerEvent =
      text === undefined
        ? { kind: 'malformed', problem: 'The model server sent a binary message.' }
        : this.#deps.backends.codec.decode(text);
    switch (event.kind) {
      case 'created':
        this.#created(event.sessionId, event.metrics);
        return;
      case 'closed':
        this.#closedByServer(event);
        return;
      case 'error':
        this.#endLive(event.message, false);
        return;
      case 'malformed':
        this.#malformed += 1;
        this.#deps.record({ kind: 'ignored', what: 'malformed' });
        if (this.#malformed > maxMalformed) this.#endLive(event.problem, false);
        return;
      case 'listen':
      case 'output':
      case 'done':
        if (this.#phase !== 'live') return;
        (this.#duplex ?? this.#chat)?.receive(event);
        this.#countContext(event.metrics);
        return;
      case 'queued':
      case 'admitted':
      case 'unknown':
        this.#deps.record({ kind: 'ignored', what: 'unknown' });
    }
  }

  #created(sessionId: string | undefined, metrics: Metrics | undefined): void {
    if (this.#phase !== 'creating') return;
    this.#stopWaiting();
    this.#phase = 'live';
    const { clock } = this.#deps.environment.deps;
    this.#deps.record({ kind: 'created', ms: clock.now() - this.#begunAt });
    this.#sessionId = sessionId;
    this.#contextTokens = metrics?.contextTokens ?? 0;
    this.#deps.onCreated(metrics);
  }

  #closedByServer({ reason, diagnostic }: ClosedEvent): void {
    const words = diagnostic ?? reason;
    if (this.#phase === 'live') this.#endLive(words, false);
    else this.#fail('session_failed', `the model server could not begin: ${words}`, false);
  }

  #ended(end: SocketEnd): void {
    if (this.#phase === 'over') return;
    if (this.#phase === 'live') {
      this.#endLive('the connection to the model server was lost', true);
    } else if (end.kind === 'closed' && this.#phase === 'creating') {
      // The server closes a second session without a word.
      this.#fail('worker_busy', 'the model server is busy with another client', true);
    } else {
      const status = end.kind === 'refused' ? ` (HTTP ${end.status})` : '';
      this.#fail('worker_connect_failed', `the model server cannot be reached${status}`, true);
    }
  }

  #fail(code: BackendFailure['code'], message: string, isLost: boolean): void {
    if (this.#phase === 'over') return;
    this.#over();
    this.#socket.terminate();
    this.#deps.onFailed(
      { code, message, closeCode: code === 'session_failed' ? 1000 : 1013 },
      isLost,
    );
  }

  #endLive(diagnostic: string, isLost: boolean): void {
    if (this.#phase !== 'live') {
      this.#fail('session_failed', diagnostic, isLost);
      return;
    }
    this.#over();
    this.#close('backend_error');
    this.#deps.onEnded('backend_error', diagnostic, isLost);
  }

  /** Ends the session before the server discards the oldest part of a full context, after which it talks to itself. */
  #countContext(metrics: Metrics | undefined): void {
    const tokens = metrics?.contextTokens;
    if (tokens === undefined || this.#phase !== 'live') return;
    this.#largestStep = Math.max(this.#largestStep, tokens - this.#contextTokens);
    this.#contextTokens = tokens;
    if (tokens + this.#largestStep < this.#deps.environment.options.contextTokens) return;
    this.#over();
    this.#close('context_full');
    this.#deps.onEnded('context_full', undefined, false);
  }

  #over(): void {
    if (this.#phase === 'live') this.#deps.record({ kind: 'ended' });
    this.#phase = 'over';
    this.#stopWaiting();
    this.#duplex?.end();
    this.#chat?.end();
  }

  #close(reason: string): void {
    const socket = this.#socket;
    const id = this.#sessionId;
    if (id === undefined) {
      socket.terminate();
      return;
    }
    const stop = this.#deps.environment.deps.clock.after(closeMs, socket.terminate);
    const closed = (): void => {
      stop();
      socket.terminate();
    };
    this.#deps.backend.closeSession(id, reason).then(closed, closed);
  }
}
