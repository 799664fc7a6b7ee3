/** Interval of lines in a log; in a terminal, one line is updated. */
const logEveryMs = 30_000;
/** Until this share is done, no estimate is shown, because it would be unreliable. */
const minShareForEstimate = 0.1;

/**
 * @param {string} what
 * @param {number} done
 * @param {number} total
 * @param {number} elapsedMs
 * @returns {string}
 */
const progressLine = (what, done, total, elapsedMs) => {
  const line = `${what}: ${done} of ${total}`;
  if (done < total * minShareForEstimate || done >= total) return line;
  const minutes = ((elapsedMs / done) * (total - done)) / 60_000;
  return `${line}, about ${minutes < 1 ? '1 minute' : `${Math.ceil(minutes)} minutes`} left`;
};

/** Prints the progress of a run on stderr. */
export class Progress {
  /** @readonly */ #what;
  /** @readonly */ #total;
  #done = 0;
  /** @readonly */ #began = performance.now();
  #lastLogged = performance.now();

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
    else if (now - this.#lastLogged > logEveryMs || this.#done === this.#total) {
      this.#lastLogged = now;
      process.stderr.write(`${line}\n`);
    }
  }

  /** Clears the progress line before other output. */
  clear() {
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[2K');
  }
}
