/**
 * One line of progress. It goes to stderr because stdout belongs to the commands, whose output
 * other programs read.
 * @param {string} line
 */
export const say = (line) => {
  process.stderr.write(`${line}\n`);
};

/**
 * @param {string} clause a reason such as `there is no display`
 * @returns {string} the same as the end of a sentence
 */
export const ended = (clause) => (/[.!?]$/.test(clause) ? clause : `${clause}.`);
