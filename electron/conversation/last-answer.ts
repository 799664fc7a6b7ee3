import type { ConversationEvent } from './conversation-event.ts';

/** How long an answer is waited for once the person has finished speaking. */
export const answerTimeoutMs = 10_000;
/** How long it must stay quiet after an answer, for the model may go on with another turn. */
export const quietAfterAnswerMs = 1500;

/** Whether what was said last has its answer: for whoever ends a talk when all is said. */
export class LastAnswer {
  #open = false;
  #answered: boolean;

  /** `answered` where nothing has been asked yet. */
  constructor(answered: boolean) {
    this.#answered = answered;
  }

  /** It is coming still. */
  get open(): boolean {
    return this.#open;
  }

  /** How long it must be quiet until nothing more is to be expected. */
  get patienceMs(): number {
    return this.#answered ? quietAfterAnswerMs : answerTimeoutMs;
  }

  hear(event: ConversationEvent): void {
    if (event.event === 'text' || event.event === 'audio') this.#open = true;
    const over = event.event === 'turnEnded' || (event.event === 'listen' && event.yields);
    if (!over) return;
    this.#answered ||= this.#open;
    this.#open = false;
  }

  /** What has come before is no answer to what is said now. */
  asked(): void {
    this.#answered = false;
  }
}
