import type { ConversationEvent } from '../../../conversation/conversation-event.ts';

/** How long an answer to what was said last is waited for. */
const answerTimeoutMs = 10_000;
/** How long it must stay quiet after an answer, for the model may go on with another turn. */
const quietAfterAnswerMs = 1500;
/** Behind the end of the tape nobody listens to a server that never comes to its end. */
const maxTailMs = 60_000;

/** Decides when a tape that is done again is over: everything said, everything answered, everything heard. */
export class RerunEnd {
  readonly #inputMs: number;
  #open = false;
  #answered = true;
  #spokeAt = 0;
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

  /** The person speaks: an answer that has come before is none to that. */
  spoke(at: number): void {
    this.#spokeAt = at;
    this.#answered = false;
  }

  /** `at` counts from the first sound; `drained` when all that came has been heard. */
  reached(at: number, drained: boolean): boolean {
    if (this.#open || !drained) this.#quietSince = at;
    if (at < this.#inputMs) return false;
    if (at > this.#inputMs + maxTailMs) return true;
    const quietFor = at - Math.max(this.#quietSince, this.#spokeAt);
    return quietFor >= (this.#answered ? quietAfterAnswerMs : answerTimeoutMs);
  }
}
