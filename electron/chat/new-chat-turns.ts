import type { AssistantTurn, ChatThread, Part, UserTurn } from '../../shared/chat/chat-thread.ts';
import { makeChatId } from './chat-session.ts';
import type { ChatSessionDeps } from './chat-session.ts';

/** Makes conversations and turns as they begin, each with an id of its own and its time. */
export class NewChatTurns {
  readonly #deps: Pick<ChatSessionDeps, 'random' | 'wallClock'>;

  constructor(deps: Pick<ChatSessionDeps, 'random' | 'wallClock'>) {
    this.#deps = deps;
  }

  id(): string {
    return makeChatId(this.#deps.random);
  }

  thread(): ChatThread {
    const at = this.#deps.wallClock();
    const times = { createdAt: at, updatedAt: at };
    return { id: this.id(), title: '', ...times, pinned: false, turns: [], branches: [] };
  }

  question(parts: readonly Part[]): UserTurn {
    return { role: 'user', id: this.id(), at: this.#deps.wallClock(), parts };
  }

  /** Nothing of it has come yet. */
  answer(): AssistantTurn {
    const at = this.#deps.wallClock();
    const state = { kind: 'streaming' } as const;
    return { role: 'assistant', id: this.id(), at, text: '', state, speechSeconds: 0 };
  }
}
