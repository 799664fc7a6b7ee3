/**
 * Prints a line of progress to stderr, because other programs read the commands' stdout.
 * @param {string} line
 */
export const say = (line) => {
  process.stderr.write(`${line}\n`);
};

/**
 * @param {string} clause a reason such as `there is no display`
 * @returns {string} with a full stop, unless it has one
 */
export const withFullStop = (clause) => (/[.!?]$/.test(clause) ? clause : `${clause}.`);
