/**
 * By how many letters a server's text is ahead of its sound, learned from turns that have ended: only
 * then it is known how fast the turn was spoken. Deployed models lead by several hundred milliseconds.
 */
export class TextLead {
  #letters = 0;

  get letters(): number {
    return this.#letters;
  }

  /** What a turn has shown; half of it is believed at once. */
  learn(letters: number): void {
    this.#letters += (Math.max(0, letters) - this.#letters) / 2;
  }
}
