import type { WrittenSession } from '../session/session.ts';
import type { SessionEvent } from '../session/session-event.ts';

type Tell = (event: SessionEvent) => void;

/**
 * The sessions of written conversations. When another server is chosen, the one that is open ends as
 * soon as its answer has come, so that the next question goes to the server the person sees.
 */
export class ChatSessions {
  readonly #open: (emit: Tell) => WrittenSession;
  readonly #sessions = new Set<WrittenSession>();
  #stale = false;

  constructor(open: (emit: Tell) => WrittenSession) {
    this.#open = open;
  }

  readonly openSession = (emit: Tell): WrittenSession => {
    this.#stale = false;
    let over = false;
    const session = this.#open((event) => {
      if (event.event === 'closed') {
        over = true;
        this.#sessions.delete(session);
      }
      emit(event);
    });
    // One that cannot even begin may say so at once.
    if (!over) this.#sessions.add(session);
    return session;
  };

  serverChanged(busy: boolean): void {
    this.#stale = this.#sessions.size > 0;
    if (!busy) this.answered();
  }

  answered(): void {
    if (!this.#stale) return;
    this.#stale = false;
    for (const session of this.#sessions) session.end();
  }
}
