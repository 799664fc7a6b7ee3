import { appError, rootError, truncateLine } from '../../../shared/errors/app-error.ts';
import { callListener } from '../../../shared/listeners.ts';
import { Timer } from '../../../shared/ports/clock.ts';
import type { SocketEnd } from '../../../shared/ports/sockets.ts';
import {
  type ChatQuestion,
  olderChatMode,
  type DoneEvent,
  type OutputEvent,
  type ServerErrorEvent,
  type ServerEvent,
} from '../../../shared/protocol/realtime-api.ts';
import type { ClientCodec } from '../../../shared/protocol/client-codec.ts';
import { endedByConnection, fatalError, isFatalError, reportedError } from './session-closing.ts';
import {
  endedByServerError,
  failedEnding,
  type SessionEnding,
  type SessionEvent,
  type SessionPhase,
  userEnding,
} from './session-event.ts';
import { countReceived, findExcess, type ReceivedAmounts } from './received-amounts.ts';
import {
  chatStallAfterMalformedMs,
  chatStallBetweenDeltasMs,
  chatStallTimeoutMs,
  openTimeoutMs,
} from './session-timing.ts';
import { repairs, unreadable } from './session-state.ts';
import {
  decodeFrame,
  SessionConnection,
  type SessionDeps,
  type SessionOptions,
  type WrittenSession,
} from './session.ts';

/** `chatModeBriefly` waits only briefly for an answer, because many servers without chat mode stay silent. */
type ChatMethod = 'chatMode' | 'chatModeBriefly' | 'olderPath';

interface Deps {
  readonly emit: (event: SessionEvent) => void;
  readonly open: (method: ChatMethod, emit: (event: SessionEvent) => void) => WrittenSession;
}

function listMethods({
  dialect,
  rememberedDialect,
}: Pick<SessionOptions, 'dialect' | 'rememberedDialect'>): readonly ChatMethod[] {
  if (dialect === 'legacy') return ['olderPath'];
  if (dialect === 'unified') return ['chatMode'];
  switch (rememberedDialect) {
    case 'legacy':
      return ['olderPath', 'chatModeBriefly'];
    case 'unified':
      return ['chatMode'];
    case undefined:
      // A slow server gets a long wait in the end, if the older path does not exist either.
      return ['chatModeBriefly', 'olderPath', 'chatMode'];
  }
}

/**
 * A written conversation with a server. Tries the methods that the server's dialect allows, the remembered one first, and
 * reports only the last failure.
 */
export class SessionForChat implements WrittenSession {
  readonly #emit: Deps['emit'];
  readonly #open: Deps['open'];
  #methods: readonly ChatMethod[];
  #session: WrittenSession | undefined;
  /** Questions to repeat with the next method. */
  #questions: readonly ChatQuestion[] = [];
  /** The current method works. Until this is true, events before a `closed` are deferred. */
  #isConfirmed = false;
  #deferredEvents: readonly SessionEvent[] = [];
  #isEnding = false;
  #over = false;

  constructor(
    options: Pick<SessionOptions, 'dialect' | 'rememberedDialect'>,
    { emit, open }: Deps,
  ) {
    this.#methods = listMethods(options);
    this.#emit = emit;
    this.#open = open;
    this.#tryNext();
  }

  get phase(): SessionPhase {
    if (this.#over) return 'closed';
    // A method has failed, and the next one follows.
    if (this.#deferredEvents.length > 0 && !this.#isEnding) return 'connecting';
    return this.#session?.phase ?? 'connecting';
  }

  ask(question: ChatQuestion): void {
    if (!this.#isConfirmed) this.#questions = [...this.#questions, question];
    this.#session?.ask(question);
  }

  end(): void {
    this.#isEnding = true;
    this.#session?.end();
  }

  #tryNext(): void {
    const [method, ...others] = this.#methods;
    if (method === undefined) return;
    this.#methods = others;
    this.#deferredEvents = [];
    this.#session = undefined;
    let current = true;
    const session = this.#open(method, (event) => {
      if (!current) return;
      current = !this.#lacksChat(event);
      if (current) this.#onEvent(event);
      else this.#tryNext();
    });
    // The session may have ended while it was opened, and the next method has replaced it.
    if (!current) return;
    this.#session = session;
    for (const question of this.#questions) session.ask(question);
  }

  #lacksChat(event: SessionEvent): boolean {
    return (
      event.event === 'closed' &&
      rootError(event.error).code === 'noChatInLegacy' &&
      this.#methods.length > 0 &&
      !this.#isConfirmed &&
      !this.#isEnding
    );
  }

  #onEvent(event: SessionEvent): void {
    if (event.event === 'state' && event.state === 'live') {
      this.#isConfirmed = true;
      this.#questions = [];
    }
    if (!this.#isConfirmed && precedesClosed(event)) {
      this.#deferredEvents = [...this.#deferredEvents, event];
      return;
    }
    if (event.event === 'closed') {
      this.#over = true;
      for (const deferred of this.#deferredEvents) this.#emit(deferred);
    }
    this.#emit(event);
  }
}

/** Events before `closed`, which are dropped if another method follows. */
function precedesClosed(event: SessionEvent): boolean {
  if (event.event === 'state') return event.state === 'closing' || event.state === 'closed';
  return event.event === 'error' && event.fatal;
}

interface OlderChatDeps extends Pick<
  SessionDeps,
  'sockets' | 'clock' | 'emit' | 'rememberDialect'
> {
  readonly codec: Pick<ClientCodec, 'decodeServerEvent'>;
  readonly encodeRequest: (question: ChatQuestion) => string;
}

/** Statuses with which servers and proxies report that a path does not exist. */
const pathMissingStatuses: ReadonlySet<number> = new Set([400, 403, 404, 405, 426, 501]);

/** A written conversation with an older gateway. Each question has a connection, which ends with the answer. */
export class OlderChatSession implements WrittenSession {
  readonly #deps: OlderChatDeps;
  readonly #connection: SessionConnection;
  readonly #questions: ChatQuestion[] = [];
  #phase: SessionPhase = 'connecting';
  #answer: OlderChatAnswer | undefined;
  #turn = 0;
  /** The server has answered on the older path, so it speaks the legacy dialect. */
  #isConfirmed = false;
  #received: ReceivedAmounts | undefined;
  readonly #timer: Timer;

  constructor(deps: OlderChatDeps) {
    this.#deps = deps;
    this.#timer = new Timer(deps.clock);
    this.#connection = new SessionConnection(deps.sockets, {
      opened: this.#onOpened,
      received: (text) => this.#onFrame(text),
      ended: this.#onEnded,
    });
  }

  get phase(): SessionPhase {
    return this.#phase;
  }

  ask(question: ChatQuestion): void {
    if (this.#phase === 'closed') return;
    this.#questions.push(question);
    if (this.#answer === undefined) this.#askNext();
  }

  end(): void {
    this.#finish(userEnding('chat'));
  }

  #askNext(): void {
    const question = this.#questions.shift();
    if (question === undefined) return;
    this.#answer = new OlderChatAnswer(question, this.#turn);
    this.#enter('connecting');
    this.#timer.set(openTimeoutMs, () => {
      const error = appError('testSlow', { seconds: openTimeoutMs / 1000 });
      this.#finish(failedEnding(error, 'network'));
    });
    this.#connection.connect(olderChatMode);
  }

  readonly #onOpened = (): void => {
    if (this.#answer === undefined) return;
    this.#awaitMore(chatStallTimeoutMs);
    this.#connection.send(this.#deps.encodeRequest(this.#answer.question));
  };

  #onFrame(text: string | undefined): void {
    const answer = this.#answer;
    if (answer === undefined) return;
    const event = decodeFrame(this.#deps.codec, text);
    this.#received = countReceived(this.#received, event, this.#deps.clock.now());
    const excess = this.#received && findExcess(this.#received, 'chat');
    if (excess !== undefined) return this.#finish(failedEnding(excess));
    this.#handle(answer, event);
  }

  #handle(answer: OlderChatAnswer, event: ServerEvent): void {
    switch (event.kind) {
      case 'created':
        this.#confirmServer();
        return this.#awaitMore(chatStallTimeoutMs);
      case 'output':
        this.#confirmServer();
        for (const each of answer.toSessionEvents(event)) this.#emit(each);
        return this.#awaitMore(chatStallBetweenDeltasMs);
      case 'done':
        this.#confirmServer();
        for (const each of answer.toSessionEvents(event)) this.#emit(each);
        return this.#settle(
          event.text === '' ? answer.text : event.text,
          event.reason ?? 'turn_end',
        );
      case 'error':
        return this.#handleError(answer, event);
      case 'malformed':
        this.#emit(unreadable(event));
        return this.#awaitMore(chatStallAfterMalformedMs);
      case 'unknown':
        return this.#emit(unreadable(event));
      case 'queued':
      case 'admitted':
      case 'listen':
      case 'toolCall':
      case 'closed':
    }
  }

  #handleError(answer: OlderChatAnswer, event: ServerErrorEvent): void {
    this.#confirmServer();
    const error = { ...event, code: olderErrorCode(event) };
    if (isFatalError(error)) {
      this.#emit(fatalError(error));
      return this.#finish(endedByServerError(error.code, error.message));
    }
    this.#emit(reportedError(error));
    this.#settle(answer.text, error.code);
  }

  /** The answer is over, and its connection is closed. */
  #settle(text: string, reason: string): void {
    this.#timer.stop();
    this.#answer = undefined;
    this.#turn += 1;
    this.#connection.disconnect();
    this.#emit({ event: 'done', text, reason });
    if (this.#phase !== 'closed' && this.#answer === undefined) this.#askNext();
  }

  readonly #onEnded = (end: SocketEnd): void => {
    if (this.#answer === undefined) return;
    if (end.kind === 'refused' && !this.#isConfirmed && pathMissingStatuses.has(end.status)) {
      return this.#finish(
        failedEnding(appError('noChatInLegacy', {}, { detail: truncateLine(end.body) })),
      );
    }
    const context = { mode: 'chat', lastError: undefined } as const;
    this.#finish(endedByConnection(end, context, this.#deps.clock.now()));
  };

  #finish(ending: SessionEnding): void {
    if (this.#phase === 'closed') return;
    this.#timer.stop();
    this.#answer = undefined;
    this.#connection.terminate();
    this.#enter('closed');
    this.#emit({ event: 'closed', ...ending });
  }

  #confirmServer(): void {
    if (this.#phase === 'connecting') this.#enter('live');
    if (this.#isConfirmed) return;
    this.#isConfirmed = true;
    this.#deps.rememberDialect('legacy', undefined);
  }

  #awaitMore(ms: number): void {
    this.#timer.set(ms, () => this.#finish(failedEnding(appError('serverStalled'))));
  }

  #enter(phase: SessionPhase): void {
    this.#phase = phase;
    this.#emit({ event: 'state', state: phase });
  }

  #emit(event: SessionEvent): void {
    callListener(this.#deps.emit, event);
  }
}

/** A question on the older path with its partial answer. */
class OlderChatAnswer {
  readonly question: ChatQuestion;
  readonly #turn: number;
  #text = '';
  #sounded = false;

  constructor(question: ChatQuestion, turn: number) {
    this.question = question;
    this.#turn = turn;
  }

  get text(): string {
    return this.#text;
  }

  /** The end of an answer may repeat the streamed sound, which is played once. */
  toSessionEvents(event: OutputEvent | DoneEvent): readonly SessionEvent[] {
    const { audio, metrics } = event;
    const text = event.kind === 'output' ? (event.text ?? '') : '';
    const isNew = audio !== undefined && (event.kind === 'output' || !this.#sounded);
    const turn = this.#turn;
    this.#text += text;
    this.#sounded ||= isNew;
    return [
      ...(text === '' ? [] : [{ event: 'text', turn, text } as const]),
      ...(isNew ? [{ event: 'audio', turn, audio } as const] : []),
      ...repairs(event),
      ...(metrics === undefined ? [] : [{ event: 'metrics', metrics } as const]),
    ];
  }
}

/** The older path reports errors in sentences without codes. */
function olderErrorCode({ code, message }: ServerErrorEvent): ServerErrorEvent['code'] {
  if (code !== 'unspecified') return code;
  return /\bbusy\b/iu.test(message) ? 'worker_busy' : 'inference_error';
}
