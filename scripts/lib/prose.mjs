/**
 * @typedef {object} Sentence
 * @property {string} file
 * @property {number} line of the start of its comment or paragraph
 * @property {string} text
 */

const maxWords = 40;

/** Whether a sentence breaks a rule of docs/writing.md, per rule. @type {Readonly<Record<string, (text: string) => boolean>>} */
export const proseRules = {
  opening: (text) => /^(?:Of|What|Who|Whoever|Nothing|Else|So much|One that)\b/.test(text),
  phrase: (text) =>
    /\b(?:is|are) told\b|\banew\b|\bof its own\b|\bso that\b.*\bno longer\b/.test(text),
  length: (text) => text.split(/\s+/).length > maxWords,
};

/**
 * @param {string} text
 * @returns {string[]} sentences, and list items
 */
export const splitSentences = (text) =>
  text
    .replaceAll(/\s+/g, ' ')
    .split(/(?<=[.!?])\s+(?=[“"(]?[A-Z])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');

/**
 * @param {string} file
 * @param {string} text
 * @returns {Sentence[]} the sentences of its comments
 */
export const findCommentSentences = (file, text) => {
  /** @type {{ line: number, text: string }[]} */
  const comments = [];
  let lineBefore = -1;
  // A line comment has a space on both sides of its slashes; a URL in a string has none.
  for (const match of text.matchAll(/\/\*([\s\S]*?)\*\/|(?<=^|\s)\/\/ (.*)$/gm)) {
    const line = text.slice(0, match.index).split('\n').length;
    if (match[2] === undefined) {
      const block = (match[1] ?? '').replaceAll(/^\s*\*+ ?/gm, '').replaceAll(/^\*+/g, '');
      // A JSDoc tag starts a new sentence.
      for (const part of block.split(/@\w+(?: \{[^\n]*\})?/)) comments.push({ line, text: part });
    } else if (line === lineBefore + 1) {
      const last = comments.at(-1);
      if (last !== undefined) last.text += ` ${match[2]}`;
      lineBefore = line;
    } else {
      comments.push({ line, text: match[2] });
      lineBefore = line;
    }
  }
  return comments.flatMap(({ line, text }) =>
    splitSentences(text).map((sentence) => ({ file, line, text: sentence })),
  );
};

/**
 * @param {string} file
 * @param {string} text
 * @returns {Sentence[]} the sentences of its paragraphs and list items, without code and tables
 */
export const findMarkdownSentences = (file, text) => {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, (code) =>
    '\n'.repeat(code.split('\n').length - 1),
  );
  /** @type {Sentence[]} */
  const found = [];
  let line = 1;
  for (const paragraph of prose.split(/\n(?=\s*\n|\s*[-*] |\s*\d+\. |#)/)) {
    const begins = line + (/^\s*\n/.test(paragraph) ? 1 : 0);
    line += paragraph.split('\n').length;
    const rows = paragraph.split('\n').filter((row) => !/^\s*\|/.test(row));
    const words = rows
      .join(' ')
      .replaceAll(/^\s*(?:[-*]|\d+\.|#+) /g, '')
      .replaceAll(/\*\*/g, '');
    for (const sentence of splitSentences(words))
      found.push({ file, line: begins, text: sentence });
  }
  return found;
};
