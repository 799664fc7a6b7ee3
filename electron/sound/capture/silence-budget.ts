/**
 * From the end of speech, silence goes on so long without a gap: the chunk with the last word is
 * filled at once, and the model can begin its answer.
 */
const settleMs = 2000;

/**
 * Says how much silence stands for a stretch of input, so that samples that were inserted before
 * are made up for by silence that is left out (docs/decisions/0009-pre-roll.md).
 */
export class SilenceBudget {
  readonly #settle: number;
  readonly #maxAhead: number;
  #ahead = 0;
  #untilSettled = 0;
  #answering = false;

  /** What is ahead by more than `maxAhead` is made up for at once, whatever goes on. */
  constructor(rate: number, maxAhead: number) {
    this.#settle = Math.round((settleMs * rate) / 1000);
    this.#maxAhead = maxAhead;
  }

  setAnswering(answering: boolean): void {
    this.#answering = answering;
  }

  inserted(samples: number): void {
    this.#ahead += samples;
  }

  /** Something was let through: the wait begins with the silence after it. */
  sounded(): void {
    this.#untilSettled = this.#settle;
  }

  silenceFor(samples: number): number {
    const early = Math.min(samples, this.#answering ? samples : this.#untilSettled);
    this.#untilSettled -= Math.min(samples, this.#untilSettled);
    const leftOut =
      this.#leaveOut(early, this.#ahead - this.#maxAhead) +
      this.#leaveOut(samples - early, this.#ahead);
    return samples - leftOut;
  }

  #leaveOut(samples: number, tooMany: number): number {
    const count = Math.min(samples, Math.max(0, tooMany));
    this.#ahead -= count;
    return count;
  }
}
