import { Listeners } from '../../shared/listeners.ts';
import type { ModelUser } from '../../shared/model/local-model-state.ts';

/**
 * Decides whether a talk or chats may use the model. Sessions of one kind enter together; the gateway queues them, because
 * the model runs one at a time. A talk keeps its turn between its sessions, because a chat in between would load the whole
 * model twice.
 */
export class ModelArbiter {
  readonly #changes = new Listeners<undefined>();
  readonly #talkWaits = new Listeners<undefined>();
  readonly #sessions: Record<ModelUser, number> = { talk: 0, chat: 0 };
  #waitingTalks = 0;
  #isTalking = false;
  readonly #waiting: (() => void)[] = [];

  /** Whether a talk or chats use the model now. */
  get user(): ModelUser | undefined {
    if (this.#sessions.chat > 0) return 'chat';
    return this.#isTalking || this.#sessions.talk > 0 ? 'talk' : undefined;
  }

  mayEnter(user: ModelUser): boolean {
    if (user === 'talk') return this.#sessions.chat === 0;
    return !this.#isTalking && this.#sessions.talk === 0 && this.#waitingTalks === 0;
  }

  /** Resolves when a session may begin. Call the returned function once, at the session's end. */
  async enter(user: ModelUser): Promise<() => void> {
    if (user === 'talk') this.#waitingTalks += 1;
    if (user === 'talk' && !this.mayEnter(user)) this.#talkWaits.emit(undefined);
    while (!this.mayEnter(user)) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    if (user === 'talk') this.#waitingTalks -= 1;
    this.#sessions[user] += 1;
    this.#changed();
    return () => {
      this.#sessions[user] -= 1;
      this.#changed();
    };
  }

  /** Sets whether a talk with this model is running, also between its sessions. */
  setTalking(isTalking: boolean): void {
    if (isTalking === this.#isTalking) return;
    this.#isTalking = isTalking;
    this.#changed();
    if (isTalking && this.#sessions.chat > 0) this.#talkWaits.emit(undefined);
  }

  /** Calls back when the user of the model may have changed. */
  listen(listener: () => void): () => void {
    return this.#changes.add(listener);
  }

  /** Calls back when a talk waits. Chats should then end their sessions after the current answer. */
  onTalkWaits(listener: () => void): () => void {
    return this.#talkWaits.add(listener);
  }

  #changed(): void {
    this.#changes.emit(undefined);
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
