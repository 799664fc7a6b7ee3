import { rootError } from '../../../shared/errors/session-reasons.ts';
import type { SessionEvent, SessionPhase } from './session-event.ts';
import type { PendingQuestion } from './session-state.ts';
import type { SessionOptions, WrittenSession } from './session.ts';

/**
 * The two ways a server may have for written conversations: a session in chat mode, or a path of its own. Of the
 * first an answer may be waited for briefly only, because silence is how many servers without it answer.
 */
type ChatWay = 'chatMode' | 'chatModeBriefly' | 'olderPath';

interface Deps {
  readonly emit: (event: SessionEvent) => void;
  /** Opens one of the two; it emits what comes of it. */
  readonly open: (way: ChatWay, emit: (event: SessionEvent) => void) => WrittenSession;
}

function waysOf({
  dialect,
  rememberedDialect,
}: Pick<SessionOptions, 'dialect' | 'rememberedDialect'>): readonly ChatWay[] {
  if (dialect === 'legacy') return ['olderPath'];
  if (dialect === 'unified') return ['chatMode'];
  switch (rememberedDialect) {
    case 'legacy':
      return ['olderPath', 'chatModeBriefly'];
    case 'unified':
      return ['chatMode'];
    case undefined:
      // It may only have been slow: where the other way is not there either it has all the time.
      return ['chatModeBriefly', 'olderPath', 'chatMode'];
  }
}

/**
 * A session for written conversations by whichever way the server has. What is known of it is tried first; one
 * that shows that it has no chat gets the same questions by the other way, and only where that is not
 * there either it is told that there is none.
 */
export class SessionForChat implements WrittenSession {
  readonly #emit: Deps['emit'];
  readonly #open: Deps['open'];
  #ways: readonly ChatWay[];
  #session: WrittenSession | undefined;
  /** Asked, and to be asked again by another way. */
  #questions: readonly PendingQuestion[] = [];
  /** Whether the way that is tried is the right one; until then its end is not told. */
  #sure = false;
  #held: readonly SessionEvent[] = [];
  #ending = false;
  #over = false;

  constructor(
    options: Pick<SessionOptions, 'dialect' | 'rememberedDialect'>,
    { emit, open }: Deps,
  ) {
    this.#ways = waysOf(options);
    this.#emit = emit;
    this.#open = open;
    this.#tryNext();
  }

  get phase(): SessionPhase {
    if (this.#over) return 'closed';
    // The end of a way is not yet the end of all.
    if (this.#held.length > 0 && !this.#ending) return 'connecting';
    return this.#session?.phase ?? 'connecting';
  }

  ask(question: PendingQuestion): void {
    if (!this.#sure) this.#questions = [...this.#questions, question];
    this.#session?.ask(question);
  }

  end(): void {
    this.#ending = true;
    this.#session?.end();
  }

  #tryNext(): void {
    const [way, ...others] = this.#ways;
    if (way === undefined) return;
    this.#ways = others;
    this.#held = [];
    this.#session = undefined;
    let current = true;
    const session = this.#open(way, (event) => {
      if (!current) return;
      current = !this.#misfits(event);
      if (current) this.#hear(event);
      else this.#tryNext();
    });
    // One that ended in the very call that opened it has given way already.
    if (!current) return;
    this.#session = session;
    for (const question of this.#questions) session.ask(question);
  }

  #misfits(event: SessionEvent): boolean {
    return (
      event.event === 'closed' &&
      rootError(event.error).code === 'noChatInLegacy' &&
      this.#ways.length > 0 &&
      !this.#sure &&
      !this.#ending
    );
  }

  #hear(event: SessionEvent): void {
    if (event.event === 'state' && event.state === 'live') {
      this.#sure = true;
      this.#questions = [];
    }
    if (!this.#sure && isOfAnEnd(event)) {
      this.#held = [...this.#held, event];
      return;
    }
    if (event.event === 'closed') {
      this.#over = true;
      for (const held of this.#held) this.#emit(held);
    }
    this.#emit(event);
  }
}

/** What comes before `closed`, and means nothing where another way follows. */
function isOfAnEnd(event: SessionEvent): boolean {
  if (event.event === 'state') return event.state === 'closing' || event.state === 'closed';
  return event.event === 'error' && event.fatal;
}
