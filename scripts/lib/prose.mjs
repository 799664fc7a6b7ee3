import { parseOnce } from './source-files.mjs';

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
const splitSentences = (text) =>
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

/** Folders whose strings are prose that users read. */
const textFolders = ['shared/i18n/en/', 'electron/hosts/terminal/'];
/** Files of these folders with other strings: prompts for the model, and scripts for a shell. */
const otherFiles = /prompts\.ts$|completion-command\.ts$/;

/** Properties that describe a command. */
const descriptions = new Set(['about', 'summary', 'missing']);

/** Idioms, each with the advice that the gate prints. @type {readonly (readonly [advice: string, idiom: RegExp])[]} */
const idioms = [
  [
    'name who or what failed',
    /\b[Nn]obody (?:has|asks|reads|connected|could)\b|\blets nobody\b|\b[Nn]othing (?:could|tells|of the)\b/,
  ],
  [
    'name the actor',
    /\bis none of\b|\bnone of Parley|\bis had\b|\bwhoever is\b|\bwords of others\b/,
  ],
  [
    'write "timed out", "failed" or "reported"',
    /\bcame to no\b|\bcome about\b|\btold of\b|\bbroke too\b/,
  ],
  ['write "continue"', /\b(?:goes|going|went|to go) on\b(?! the\b)/],
  [
    'write "default: …"',
    /\bleft out, |[,;] left out\b|\bwhere it is left out\b|\bnormally\b|; else \d/,
  ],
  ['write "repeatable"', /\bmay be given again\b/],
  ['write "additional"', /\b[Aa] further\b/],
  ['use the trade’s word', /\bis to behave\b|\btake after\b|\bas the name ends\b|\bin writing\b/],
  ['write "is not a …"', /(?<!\b[Tt]here )\bis no (?!longer\b|more\b)/],
  ['write "restore", "replace" or "reload"', /\bput back\b|\bstands? in\b|\bstands alone\b/],
  ['write "characters"', /\bletters\b/],
];

/**
 * Whether a string breaks a rule of docs/writing.md, per rule.
 * @type {Readonly<Record<string, (text: string, file: string) => boolean>>}
 */
export const stringRules = {
  phrase: (text) => proseRules['phrase']?.(text) === true,
  length: (text) => proseRules['length']?.(text) === true,
  ...Object.fromEntries(
    idioms.map(([advice, idiom]) => [advice, (/** @type {string} */ text) => idiom.test(text)]),
  ),
  'name the missing thing first': (text, file) =>
    !isTextFile(file) && /^There (?:is|are|was|were) no\b/.test(text),
};

const isTextFile = (/** @type {string} */ file) =>
  textFolders.some((folder) => file.startsWith(folder));

/** @typedef {{ readonly type: string, readonly start: number, readonly [key: string]: unknown }} Node */

/** @param {unknown} value @returns {value is Node} */
const isNode = (value) =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/**
 * @param {unknown} node an identifier, or a member as `parley.log.write`
 * @returns {readonly string[]} its names, the last one first
 */
const namesOf = (node) => {
  if (!isNode(node)) return [];
  if (node.type === 'ChainExpression') return namesOf(node['expression']);
  if (node.type === 'MemberExpression')
    return [...namesOf(node['property']), ...namesOf(node['object'])];
  return typeof node['name'] === 'string' ? [node['name']] : [];
};

/** Whether the strings in a node are log lines, errors or descriptions of a command. @param {Node} node */
const holdsProse = (node) => {
  const [name = '', object = ''] = namesOf(node['callee']);
  if (node.type === 'NewExpression') return name.endsWith('Error') || name.endsWith('Stop');
  if (node.type === 'CallExpression') return name === 'write' && /log$/i.test(object);
  return node.type === 'Property' && descriptions.has(namesOf(node['key'])[0] ?? '');
};

/**
 * @param {Node} node
 * @returns {string | undefined} the text of a literal or a template, with … for each inserted value
 */
const textOf = (node) => {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node.type !== 'TemplateLiteral') return undefined;
  const parts = /** @type {{ value: { cooked: string } }[]} */ (node['quasis']);
  return parts.map(({ value }) => value.cooked).join('…');
};

/**
 * @param {string} file
 * @param {string} text
 * @returns {Sentence[]} the sentences of its log lines, errors, help and interface texts
 */
export const findStringSentences = (file, text) => {
  if (otherFiles.test(file)) return [];
  /** @type {Sentence[]} */
  const found = [];
  /** @param {unknown} value @param {boolean} isProse */
  const visit = (value, isProse) => {
    if (Array.isArray(value)) for (const each of value) visit(each, isProse);
    if (!isNode(value)) return;
    const words = isProse ? textOf(value)?.replaceAll(/\{\{\w+\}\}/g, '…') : undefined;
    if (words?.includes(' ') === true) {
      const line = text.slice(0, value.start).split('\n').length;
      for (const sentence of splitSentences(words)) found.push({ file, line, text: sentence });
    }
    const inside = isProse || holdsProse(value);
    for (const child of Object.values(value)) visit(child, inside);
  };
  visit(parseOnce(file, text).program, isTextFile(file));
  return found;
};
