import type { ConversationEvent } from '../../../conversation/conversation-event.ts';

/** How long an answer is waited for once the person has finished speaking. */
export const answerTimeoutMs = 10_000;
/** How long it must stay quiet after an answer, for the model may go on with another turn. */
export const quietAfterAnswerMs = 1_500;

/** Decides when a talk with a file is over: everything said, everything answered, everything heard. */
export class TalkEndDetector {
  readonly #inputMs: number;
  #open = false;
  #answered = false;
  #quietSince = 0;

  constructor(inputMs: number) {
    this.#inputMs = inputMs;
  }

  hear(event: ConversationEvent): void {
    if (event.event === 'text' || event.event === 'audio') this.#open = true;
    const over = event.event === 'turnEnded' || (event.event === 'listen' && event.yields);
    if (!over) return;
    this.#answered ||= this.#open;
    this.#open = false;
  }

  /** `at` counts from the first sound sent; `drained` when all that came has been heard. */
  reached(at: number, drained: boolean): boolean {
    if (at < this.#inputMs) {
      // What was answered before the end of the input need not be the last answer.
      if (this.#open || !drained) this.#quietSince = at;
      else this.#answered = false;
      return false;
    }
    if (this.#open || !drained) {
      this.#quietSince = at;
      return false;
    }
    const quietFor = at - Math.max(this.#quietSince, this.#inputMs);
    return quietFor >= (this.#answered ? quietAfterAnswerMs : answerTimeoutMs);
  }
}
