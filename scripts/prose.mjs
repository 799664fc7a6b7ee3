import { readFileSync, readdirSync } from 'node:fs';
import { proseRules, findMarkdownSentences, findCommentSentences } from './lib/prose.mjs';
import { filesIn, productRooms } from './lib/source-files.mjs';

// A gate: counts the sentences that break a rule of docs/writing.md.

/** The number of violations allowed per rule. Lower them after each clean-up; never raise one. */
const limits = {
  source: { opening: 2236, phrase: 396, length: 31 },
  documents: { opening: 73, phrase: 25, length: 32 },
};

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

const sources = filesIn([...productRooms, 'scripts', 'test']).filter((file) =>
  /\.(ts|tsx|mjs|cjs|css|cc|h|c)$/.test(file),
);

const read = (/** @type {string} */ file) => readFileSync(file, 'utf8');
const sentences = {
  source: sources.flatMap((file) => findCommentSentences(file, read(file))),
  documents: documents().flatMap((file) => findMarkdownSentences(file, read(file))),
};

const list = process.argv.includes('--list');
let failed = false;
for (const place of /** @type {const} */ (['source', 'documents'])) {
  for (const [name, breaks] of Object.entries(proseRules)) {
    const found = sentences[place].filter(({ text }) => breaks(text));
    const limit = limits[place][/** @type {keyof typeof limits.source} */ (name)];
    const isOverLimit = found.length > limit;
    if (isOverLimit) failed = true;
    if (list)
      for (const { file, line, text } of found) console.log(`${file}:${line}: ${name}: ${text}`);
    if (isOverLimit || list)
      console.log(
        `${place}: ${found.length} sentences break the rule "${name}" of docs/writing.md; ${limit} are allowed.`,
      );
  }
}
if (failed) {
  console.log('`node scripts/prose.mjs --list` lists them.');
  process.exitCode = 1;
}
