/**
 * @param {string} name of a thing, a file or a folder
 * @returns {string[]} its words in lower case: `openEye`, `OpenEye`, `open-eye` and `OPEN_EYE` are two
 */
export const wordsOf = (name) =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== '');

/**
 * @param {string} word
 * @returns {readonly string[]} how it may be written where there are several
 */
const severalOf = (word) => [
  word,
  `${word}s`,
  `${word}es`,
  word.replace(/y$/, 'ies'),
  word.replace(/f$/, 'ves'),
];

/**
 * @param {readonly string[]} words of a name
 * @param {readonly string[]} sought one word or more
 * @returns {number} where they stand in it, one after the other; -1 where they do not
 */
export const indexOfWords = (words, sought) =>
  words.findIndex((_, at) =>
    sought.every((word, step) => severalOf(word).includes(words[at + step] ?? '')),
  );
