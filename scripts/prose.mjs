import { readFileSync, readdirSync } from 'node:fs';
import {
  proseRules,
  findMarkdownSentences,
  findCommentSentences,
  findStringSentences,
  stringRules,
} from './lib/prose.mjs';
import { filesIn, productFolders } from './lib/source-files.mjs';

// A gate: lists the sentences that break a rule of docs/writing.md.

/** @returns {string[]} */
const documents = () => {
  const inDocs = filesIn(['docs']).filter(
    (file) => file.endsWith('.md') && !file.endsWith('/zh.md'),
  );
  return [...readdirSync('.').filter((file) => file.endsWith('.md')), ...inDocs].filter(
    // The first quotes bad sentences; the second is generated.
    (file) => !['docs/writing.md', 'docs/commands.md'].includes(file),
  );
};

const sources = filesIn([...productFolders, 'scripts', 'test']).filter((file) =>
  /\.(ts|tsx|mjs|cjs|css|cc|h|c)$/.test(file),
);

const read = (/** @type {string} */ file) => readFileSync(file, 'utf8');
const prose = [
  ...sources.flatMap((file) => findCommentSentences(file, read(file))),
  ...documents().flatMap((file) => findMarkdownSentences(file, read(file))),
];
const strings = sources
  .filter((file) => /\.(ts|tsx|mjs|cjs)$/.test(file))
  .flatMap((file) => findStringSentences(file, read(file)));

for (const { sentences, rules } of [
  { sentences: prose, rules: proseRules },
  { sentences: strings, rules: stringRules },
])
  for (const [name, breaks] of Object.entries(rules))
    for (const { file, line, text } of sentences) {
      if (!breaks(text, file)) continue;
      console.log(`${file}:${line}: breaks the rule "${name}" of docs/writing.md: ${text}`);
      process.exitCode = 1;
    }
