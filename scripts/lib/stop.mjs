/** An expected failure: its message is the one sentence that a person gets to read. */
export class Stop extends Error {
  /**
   * @param {string} sentence what happened and what to do
   * @param {number} [code] the exit code
   */
  constructor(sentence, code = 1) {
    super(sentence);
    this.name = 'Stop';
    this.code = code;
  }
}

/** The exit code for wrong usage. */
export const WRONG_USAGE = 2;
