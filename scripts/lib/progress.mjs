/** A log gets a line this often; a terminal's line is replaced. */
const logEveryMs = 30_000;
/** Before this share is done, the time left is a guess that nobody should plan by. */
const soonest = 0.1;

/**
 * @param {string} what
 * @param {number} done
 * @param {number} total
 * @param {number} elapsedMs
 * @returns {string}
 */
export const progressLine = (what, done, total, elapsedMs) => {
  const line = `${what}: ${done} of ${total}`;
  if (done < total * soonest || done >= total) return line;
  const minutes = ((elapsedMs / done) * (total - done)) / 60_000;
  return `${line}, about ${minutes < 1 ? '1 minute' : `${Math.ceil(minutes)} minutes`} left`;
};

/** Says how far a run is, on stderr. */
export class Progress {
  /** @readonly */ #what;
  /** @readonly */ #total;
  #done = 0;
  /** @readonly */ #began = performance.now();
  #said = performance.now();

  /**
   * @param {string} what
   * @param {number} total
   */
  constructor(what, total) {
    this.#what = what;
    this.#total = total;
  }

  step() {
    this.#done += 1;
    const now = performance.now();
    const line = progressLine(this.#what, this.#done, this.#total, now - this.#began);
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${line}`);
    else if (now - this.#said > logEveryMs || this.#done === this.#total) {
      this.#said = now;
      process.stderr.write(`${line}\n`);
    }
  }

  /** Makes room for other text. */
  clear() {
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[2K');
  }
}
