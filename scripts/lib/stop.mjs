/** An expected failure that ends a script. The user sees only its message. */
export class Stop extends Error {
  /**
   * @param {string} message what happened and what to do
   * @param {number} [code] the exit code
   */
  constructor(message, code = 1) {
    super(message);
    this.name = 'Stop';
    this.code = code;
  }
}

export const wrongUsage = 2;
