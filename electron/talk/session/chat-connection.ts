import type { ChatConnectionState } from '../../../shared/chat/chat-thread.ts';
import {
  appError,
  type AppError,
  type ErrorCode,
  wireReason,
  rootError,
} from '../../../shared/errors/app-error.ts';
import { type Clock, Timer } from '../../../shared/ports/clock.ts';
import type { ChatQuestion } from '../../../shared/protocol/realtime-api.ts';
import type { SessionEvent } from './session-event.ts';
import type { WrittenSession } from './session.ts';

/** Events of the answer to a question. The last one is `done` or `failed`; after `stop` none follows. */
export type AnswerEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'audio'; readonly audio: Float32Array }
  | { readonly kind: 'context'; readonly tokens: number }
  /** Tokens generated so far, if the server reports them. */
  | { readonly kind: 'generated'; readonly tokens: number }
  | { readonly kind: 'done'; readonly text: string; readonly reason: string }
  | { readonly kind: 'failed'; readonly error: AppError };

interface Deps {
  readonly openSession: (emit: (event: SessionEvent) => void) => WrittenSession;
  readonly clock: Clock;
  readonly emit: (state: ChatConnectionState) => void;
}

interface PendingAnswer {
  readonly question: ChatQuestion;
  readonly onEvent: (event: AnswerEvent) => void;
  begun: boolean;
}

/** A session of the connection; events of replaced sessions are ignored. */
interface TrackedSession {
  session: WrittenSession | undefined;
  answered: boolean;
  lastError: AppError | undefined;
}

/** A chat session occupies one of the server's few workers, so an idle one is released. */
const idleMs = 120_000;

/** Reasons for which a server closes an idle session; the question can be asked again. */
const idleCloseCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'closedSilently',
  'timeLimitReached',
  'serverSaysClientClosed',
  'serverSaysStopped',
  'serverSaysUserStop',
]);

/** Answers questions over a chat session and opens a new one after it ended. */
export class ChatConnection {
  readonly #deps: Deps;
  readonly #open = new Set<TrackedSession>();
  #current: TrackedSession | undefined;
  #pending: PendingAnswer | undefined;
  readonly #idle: Timer;
  readonly #closing: (() => void)[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#idle = new Timer(deps.clock);
  }

  ask(question: ChatQuestion, onEvent: (event: AnswerEvent) => void): void {
    this.#ask({ question, onEvent, begun: false });
  }

  /** Cancels the answer; the protocol can do so only by ending the session. */
  stop(): void {
    this.#pending = undefined;
    this.#release();
  }

  /** Resolves when the last session is closed, within a bounded time. */
  close(): Promise<void> {
    this.stop();
    return new Promise((resolve) => {
      this.#closing.push(resolve);
      this.#resolveClosed();
    });
  }

  #ask(answer: PendingAnswer): void {
    this.#idle.stop();
    this.#pending = answer;
    if (this.#current?.session?.phase === 'closing') this.#current = undefined;
    const tracked = this.#current ?? this.#connect();
    tracked.session?.ask(answer.question);
  }

  #connect(): TrackedSession {
    const tracked: TrackedSession = { session: undefined, answered: false, lastError: undefined };
    this.#current = tracked;
    this.#open.add(tracked);
    tracked.session = this.#deps.openSession((event) => {
      if (event.event === 'closed') this.#open.delete(tracked);
      if (this.#current === tracked) this.#onSessionEvent(tracked, event);
      this.#resolveClosed();
    });
    return tracked;
  }

  #onSessionEvent(tracked: TrackedSession, event: SessionEvent): void {
    switch (event.event) {
      case 'state':
        return this.#emitPhase(event.state);
      case 'queue': {
        const { position, length, etaSeconds } = event;
        return this.#deps.emit({ phase: 'queued', position, length, etaSeconds });
      }
      case 'text':
        return this.#emitDelta({ kind: 'text', text: event.text });
      case 'audio':
        return this.#emitDelta({ kind: 'audio', audio: event.audio });
      case 'metrics': {
        const { contextTokens, values } = event.metrics;
        if (contextTokens !== undefined) {
          this.#pending?.onEvent({ kind: 'context', tokens: contextTokens });
        }
        const tokens = values['n_tokens'] ?? values['generated_tokens'];
        if (tokens !== undefined) this.#pending?.onEvent({ kind: 'generated', tokens });
        return;
      }
      case 'error':
        tracked.lastError = event.error;
        return;
      case 'done':
        return this.#handleDone(tracked, event);
      case 'closed':
        return this.#handleClosed(tracked, event);
      case 'session':
      case 'sent':
      case 'dropped':
      case 'turnEnded':
      case 'listen':
      case 'toolCall':
      case 'unknown':
    }
  }

  #emitPhase(phase: WrittenSession['phase']): void {
    if (phase === 'connecting' || phase === 'configuring') this.#deps.emit({ phase: 'connecting' });
    else if (phase === 'live') this.#deps.emit({ phase: 'ready' });
    else if (phase === 'queued') this.#deps.emit({ phase: 'queued' });
  }

  #emitDelta(piece: AnswerEvent): void {
    if (this.#pending === undefined) return;
    this.#pending.begun = true;
    this.#pending.onEvent(piece);
  }

  #handleDone(
    tracked: TrackedSession,
    { text, reason }: Extract<SessionEvent, { event: 'done' }>,
  ): void {
    const pending = this.#pending;
    const error = tracked.lastError;
    this.#pending = undefined;
    tracked.lastError = undefined;
    tracked.answered = true;
    this.#idle.set(idleMs, () => this.#release());
    // After an error, the session reports the turn's end with the error's code.
    if (error === undefined || wireReason(error) !== reason) {
      pending?.onEvent({ kind: 'done', text, reason });
    } else pending?.onEvent({ kind: 'failed', error: answerError(reason, error.detail) });
  }

  #handleClosed(tracked: TrackedSession, event: Extract<SessionEvent, { event: 'closed' }>): void {
    const pending = this.#pending;
    this.#idle.stop();
    this.#pending = undefined;
    this.#current = undefined;
    this.#deps.emit({ phase: 'idle' });
    if (pending === undefined) return;
    // Only a session that answered before may have been closed for idleness. The new session has
    // answered nothing, so the question is repeated only once.
    const wasIdle = tracked.answered && !pending.begun;
    if (wasIdle && (event.by === 'network' || idleCloseCodes.has(rootError(event.error).code))) {
      this.#ask(pending);
    } else pending.onEvent({ kind: 'failed', error: event.error });
  }

  #release(): void {
    this.#idle.stop();
    const tracked = this.#current;
    this.#current = undefined;
    if (tracked === undefined) return;
    tracked.session?.end();
    this.#deps.emit({ phase: 'idle' });
  }

  #resolveClosed(): void {
    if (this.#open.size > 0) return;
    for (const resolve of this.#closing.splice(0)) resolve();
  }
}

function answerError(code: string, detail: string | undefined): AppError {
  switch (code) {
    case 'invalid_payload':
    case 'missing_field':
    case 'unknown_event':
      return appError('answerRefused', { code }, { detail });
    case 'context_full':
      return appError('answerMemory', {}, { detail });
    case 'inference_error':
      return appError('answerFailed', { code }, { detail });
    default:
      return appError('answerUnfinished', { code }, { detail });
  }
}
