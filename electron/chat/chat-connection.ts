import type { ChatConnectionState } from '../../shared/chat/chat-patch.ts';
import type { ChatTurnEvent } from '../../shared/protocol/client-event.ts';
import type { EndingFacts } from '../../shared/talk/talk-state.ts';
import type { Why } from '../../shared/why.ts';
import type { Clock } from '../ports/clock.ts';
import type { SessionEvent } from '../session/session-event.ts';
import type { Session } from '../session/session.ts';

export type ChatQuestion = Omit<ChatTurnEvent, 'kind' | 'inputId'>;

/** What becomes of a question. `done` or `failed` is the last of it. */
export type AnswerEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'audio'; readonly audio: Float32Array }
  | { readonly kind: 'context'; readonly tokens: number }
  | { readonly kind: 'done'; readonly text: string; readonly reason: string }
  | { readonly kind: 'failed'; readonly problem: string; readonly facts: EndingFacts };

interface Deps {
  readonly openSession: (emit: (event: SessionEvent) => void) => Session;
  readonly clock: Clock;
  readonly emit: (line: ChatConnectionState) => void;
}

interface PendingAnswer {
  readonly question: ChatQuestion;
  readonly hear: (news: AnswerEvent) => void;
  begun: boolean;
}

/** One session of many; what an older one still says is not heard any more. */
interface HeldSession {
  session: Session | undefined;
  answered: boolean;
  lastError: { readonly code: string; readonly message: string } | undefined;
}

/** A chat session holds one of the server's few workers: it is given back when nobody writes. */
const idleMs = 120_000;

/** Ends that say nothing against the question: the server had only let go of an idle line. */
const harmless: ReadonlySet<string> = new Set([
  'closed',
  'timeout',
  'client_closed',
  'stopped',
  'user_stop',
]);

/** Sessions as they are needed: one for many questions, a new one where the last has ended. */
export class ChatConnection {
  readonly #deps: Deps;
  readonly #open = new Set<HeldSession>();
  #current: HeldSession | undefined;
  #asked: PendingAnswer | undefined;
  #stopIdle: (() => void) | undefined;
  readonly #closing: (() => void)[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  ask(question: ChatQuestion, hear: (news: AnswerEvent) => void): void {
    this.#ask({ question, hear, begun: false });
  }

  /** Nothing more of the answer is heard; the protocol knows no other way than to end the session. */
  stop(): void {
    this.#asked = undefined;
    this.#release();
  }

  /** Resolves when the last session is over, which sessions promise to be soon. */
  close(): Promise<void> {
    this.stop();
    return new Promise((resolve) => {
      this.#closing.push(resolve);
      this.#resolveClosed();
    });
  }

  #ask(asked: PendingAnswer): void {
    this.#stopIdle?.();
    this.#asked = asked;
    const phase = this.#current?.session?.phase;
    if (phase === 'closing' || phase === 'closed') this.#current = undefined;
    const held = this.#current ?? this.#connect();
    held.session?.ask(asked.question);
  }

  #connect(): HeldSession {
    const held: HeldSession = { session: undefined, answered: false, lastError: undefined };
    this.#current = held;
    this.#open.add(held);
    held.session = this.#deps.openSession((event) => {
      if (event.event === 'closed') this.#open.delete(held);
      if (this.#current === held) this.#hear(held, event);
      this.#resolveClosed();
    });
    return held;
  }

  #hear(held: HeldSession, event: SessionEvent): void {
    switch (event.event) {
      case 'state':
        this.#emitPhase(event.state);
        return;
      case 'queue': {
        const { position, length, etaSeconds } = event;
        this.#deps.emit({ phase: 'queued', position, length, etaSeconds });
        return;
      }
      case 'text':
        this.#emitDelta({ kind: 'text', text: event.text });
        return;
      case 'audio':
        this.#emitDelta({ kind: 'audio', audio: event.audio });
        return;
      case 'metrics': {
        const tokens = event.metrics.contextTokens;
        if (tokens !== undefined) this.#asked?.hear({ kind: 'context', tokens });
        return;
      }
      case 'error':
        held.lastError = event;
        return;
      case 'done':
        this.#handleDone(held, event);
        return;
      case 'closed':
        this.#handleClosed(held, event);
        return;
      case 'session':
      case 'sent':
      case 'dropped':
      case 'turnEnded':
      case 'listen':
      case 'unknown':
    }
  }

  #emitPhase(phase: Session['phase']): void {
    if (phase === 'connecting' || phase === 'configuring') this.#deps.emit({ phase: 'connecting' });
    else if (phase === 'live') this.#deps.emit({ phase: 'ready' });
    else if (phase === 'queued') this.#deps.emit({ phase: 'queued' });
  }

  #emitDelta(piece: AnswerEvent): void {
    if (this.#asked === undefined) return;
    this.#asked.begun = true;
    this.#asked.hear(piece);
  }

  #handleDone(held: HeldSession, { text, reason }: Extract<SessionEvent, { event: 'done' }>): void {
    const asked = this.#asked;
    const error = held.lastError;
    this.#asked = undefined;
    held.lastError = undefined;
    held.answered = true;
    this.#stopIdle = this.#deps.clock.after(idleMs, () => {
      this.#release();
    });
    // After an error the session tells the turn's end with the error's code.
    if (error === undefined || error.code !== reason) asked?.hear({ kind: 'done', text, reason });
    else asked?.hear({ kind: 'failed', ...describe(error.code, error.message) });
  }

  #handleClosed(held: HeldSession, event: Extract<SessionEvent, { event: 'closed' }>): void {
    const asked = this.#asked;
    this.#stopIdle?.();
    this.#asked = undefined;
    this.#current = undefined;
    this.#deps.emit({ phase: 'idle' });
    if (asked === undefined) return;
    // A new session has answered nothing yet, so that this happens once.
    const idled = held.answered && !asked.begun;
    if (idled && (event.by === 'network' || harmless.has(event.reason))) {
      this.#ask(asked);
    } else asked.hear({ kind: 'failed', problem: event.message, facts: factsOf(event) });
  }

  #release(): void {
    this.#stopIdle?.();
    const held = this.#current;
    this.#current = undefined;
    if (held === undefined) return;
    held.session?.end();
    this.#deps.emit({ phase: 'idle' });
  }

  #resolveClosed(): void {
    if (this.#open.size > 0) return;
    for (const resolve of this.#closing.splice(0)) resolve();
  }
}

function factsOf({ reason, status, why, said }: EndingFacts): EndingFacts {
  return {
    reason,
    ...(status !== undefined && { status }),
    ...(why !== undefined && { why }),
    ...(said !== undefined && { said }),
  };
}

interface Failed {
  readonly problem: string;
  readonly facts: EndingFacts;
}

function describe(code: string, message: string): Failed {
  const failed = (sentence: string, why: Why): Failed => {
    const said = message.slice(0, 300);
    const facts = { reason: code, why };
    return said === ''
      ? { problem: sentence, facts }
      : { problem: `${sentence} The server says: ${said}`, facts: { ...facts, said } };
  };
  switch (code) {
    case 'invalid_payload':
    case 'missing_field':
    case 'unknown_event':
      return failed(
        `The server did not accept this message (${code}). Change it or the options and send it again.`,
        { is: 'answerRefused', code },
      );
    case 'context_full':
      return failed(
        "The conversation is too long for the server's model. Begin a new one, or remove what it need not know.",
        'answerMemory',
      );
    case 'inference_error':
      return failed(`The server failed while it answered (${code}). Try again.`, {
        is: 'answerFailed',
        code,
      });
    default:
      return failed(`The server could not finish this answer (${code}). Try again.`, {
        is: 'answerUnfinished',
        code,
      });
  }
}
