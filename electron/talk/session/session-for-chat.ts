import { rootError } from '../../../shared/errors/session-reasons.ts';
import type { SessionEvent, SessionPhase } from './session-event.ts';
import type { PendingQuestion } from './session-state.ts';
import type { SessionOptions, WrittenSession } from './session.ts';

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
  #questions: readonly PendingQuestion[] = [];
  /** The current method works. Until this is true, the session's end is not reported. */
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

  ask(question: PendingQuestion): void {
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
