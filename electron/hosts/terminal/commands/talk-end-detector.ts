import type { ConversationEvent } from '../../../conversation/conversation-event.ts';
import { LastAnswer } from '../../../conversation/last-answer.ts';

/** Decides when a talk with a file is over: everything said, everything answered, everything heard. */
export class TalkEndDetector {
  readonly #inputMs: number;
  readonly #answer = new LastAnswer(false);
  #quietSince = 0;

  constructor(inputMs: number) {
    this.#inputMs = inputMs;
  }

  hear(event: ConversationEvent): void {
    this.#answer.hear(event);
  }

  /** `at` counts from the first sound sent; `drained` when all that came has been heard. */
  reached(at: number, drained: boolean): boolean {
    const quiet = !this.#answer.open && drained;
    if (!quiet) this.#quietSince = at;
    if (at < this.#inputMs) {
      // What was answered before the end of the input need not be the last answer.
      if (quiet) this.#answer.asked();
      return false;
    }
    if (!quiet) return false;
    return at - Math.max(this.#quietSince, this.#inputMs) >= this.#answer.patienceMs;
  }
}
