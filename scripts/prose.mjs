import { readFileSync, readdirSync } from 'node:fs';
import {
  proseRules,
  findMarkdownSentences,
  findCommentSentences,
  findStringSentences,
  stringRules,
} from './lib/prose.mjs';
import { filesIn, productFolders } from './lib/source-files.mjs';

// A gate: lists the sentences that break a rule of docs/writing.md, and files that documents name and that do not exist.

/** @returns {string[]} */
const documents = () => {
  const inDocs = filesIn(['docs']).filter(
    (file) => file.endsWith('.md') && !file.endsWith('/zh.md'),
  );
  return [...readdirSync('.').filter((file) => file.endsWith('.md')), ...inDocs].filter(
    // docs/writing.md quotes bad sentences, and docs/commands.md is generated.
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

const paths = filesIn([...productFolders, 'scripts', 'test', 'docs']);
for (const file of documents())
  for (const [, name = ''] of read(file).matchAll(
    /`((?:[\w.-]+\/)*[\w.-]+\.(?:test|spec)\.ts|(?:electron|renderer|shared|scripts|test)\/[\w./-]+\.(?:ts|tsx|mjs|css))`/g,
  )) {
    if (paths.some((path) => path === name || path.endsWith(`/${name}`))) continue;
    console.log(`${file}: names ${name}, which does not exist`);
    process.exitCode = 1;
  }
