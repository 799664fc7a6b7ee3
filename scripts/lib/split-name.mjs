/**
 * Splits `openEye`, `OpenEye`, `open-eye` or `OPEN_EYE` into lower-case words.
 * @param {string} name
 * @returns {string[]}
 */
export const splitName = (name) =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== '');

/**
 * @param {string} word
 * @returns {readonly string[]} the word and its possible plurals
 */
const pluralForms = (word) => [
  word,
  `${word}s`,
  `${word}es`,
  word.replace(/y$/, 'ies'),
  word.replace(/f$/, 'ves'),
];

/**
 * @param {readonly string[]} words of a name
 * @param {readonly string[]} sought consecutive words, each also matched in the plural
 * @returns {number} their position in the name, or -1
 */
export const indexOfWords = (words, sought) =>
  words.findIndex((_, at) =>
    sought.every((word, step) => pluralForms(word).includes(words[at + step] ?? '')),
  );
