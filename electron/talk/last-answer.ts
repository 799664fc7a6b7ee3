import type { ConversationEvent } from './conversation-options.ts';

/** How long to wait for an answer after the user has finished speaking. */
export const answerTimeoutMs = 10_000;
/** How long it must stay quiet after an answer, because the model may begin another turn. */
export const quietAfterAnswerMs = 1500;

/** Tracks whether the user's last words were answered, to end a talk once they were. */
export class LastAnswer {
  #open = false;
  #answered: boolean;

  /** @param answered true if the user has not asked anything yet */
  constructor(answered: boolean) {
    this.#answered = answered;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** How long it must be quiet before no more answer is expected. */
  get requiredQuietMs(): number {
    return this.#answered ? quietAfterAnswerMs : answerTimeoutMs;
  }

  onEvent(event: ConversationEvent): void {
    if (event.event === 'text' || event.event === 'audio') this.#open = true;
    const over = event.event === 'turnEnded' || (event.event === 'listen' && event.yields);
    if (!over) return;
    this.#answered ||= this.#open;
    this.#open = false;
  }

  onQuestion(): void {
    this.#answered = false;
  }
}
