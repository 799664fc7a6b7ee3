import type { ConversationEvent } from '../../../conversation/conversation-event.ts';
import { LastAnswer } from '../../../conversation/last-answer.ts';

/** Behind the end of the tape nobody listens to a server that never comes to its end. */
const maxTailMs = 60_000;

/** Decides when a tape that is done again is over: everything said, everything answered, everything heard. */
export class RerunEnd {
  readonly #inputMs: number;
  readonly #answer = new LastAnswer(true);
  #spokeAt = 0;
  #quietSince = 0;

  constructor(inputMs: number) {
    this.#inputMs = inputMs;
  }

  hear(event: ConversationEvent): void {
    this.#answer.hear(event);
  }

  /** The person speaks: an answer that has come before is none to that. */
  spoke(at: number): void {
    this.#spokeAt = at;
    this.#answer.asked();
  }

  /** `at` counts from the first sound; `drained` when all that came has been heard. */
  reached(at: number, drained: boolean): boolean {
    if (this.#answer.open || !drained) this.#quietSince = at;
    if (at < this.#inputMs) return false;
    if (at > this.#inputMs + maxTailMs) return true;
    return at - Math.max(this.#quietSince, this.#spokeAt) >= this.#answer.patienceMs;
  }
}
