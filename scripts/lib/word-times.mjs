/**
 * @typedef {{ readonly name: string, readonly end: number }} Phone a speech sound; `end` in seconds
 * @typedef {{ readonly text: string, readonly start: number, readonly end: number }} Word
 */

/**
 * Finds when each word of a sentence starts and ends. Flite gives the time of each phone, but not its word. The phone
 * counts of the sentence's prefixes show how many phones each word has.
 * @param {string} text
 * @param {(text: string) => Promise<Phone[]>} getPhones
 * @returns {Promise<Word[]>}
 */
export const wordTimes = async (text, getPhones) => {
  const all = await getPhones(text);
  const sounding = all
    .map(({ name, end }, at) => ({ name, start: all[at - 1]?.end ?? 0, end }))
    .filter(({ name }) => name !== 'pau');
  const words = text.split(' ');
  /** @type {Word[]} */
  const timed = [];
  let phoneCount = 0;
  for (let at = 0; at < words.length; at += 1) {
    const prefix = await getPhones(words.slice(0, at + 1).join(' '));
    const prefixCount = prefix.filter(({ name }) => name !== 'pau').length;
    const first = sounding[phoneCount];
    const last = sounding[prefixCount - 1];
    const word = words[at];
    if (
      first === undefined ||
      last === undefined ||
      word === undefined ||
      prefixCount <= phoneCount
    ) {
      throw new Error(`The phones of "${text}" cannot be told apart at word ${at + 1}`);
    }
    timed.push({ text: word, start: first.start, end: last.end });
    phoneCount = prefixCount;
  }
  if (phoneCount !== sounding.length)
    throw new Error(`Not all phones of "${text}" belong to a word`);
  return timed;
};
