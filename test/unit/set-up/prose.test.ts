import { describe, expect, it } from 'vitest';
import {
  proseRules,
  findMarkdownSentences,
  findCommentSentences,
} from '../../../scripts/lib/prose.mjs';

const listTexts = (sentences: readonly { readonly text: string }[]): readonly string[] =>
  sentences.map(({ text }) => text);

describe('the sentences of a source file', () => {
  it('are those of its comments, with the line they begin at', () => {
    const code = [
      '/** Keeps the newest. Drops the rest. */',
      "const address = 'http://example.org/';",
      '// The first line goes',
      '// on here.',
      '/**',
      ' * Reads it.',
      ' * @param {string} from the folder',
      ' */',
    ].join('\n');
    expect(findCommentSentences('a.ts', code)).toEqual([
      { file: 'a.ts', line: 1, text: 'Keeps the newest.' },
      { file: 'a.ts', line: 1, text: 'Drops the rest.' },
      { file: 'a.ts', line: 3, text: 'The first line goes on here.' },
      { file: 'a.ts', line: 5, text: 'Reads it.' },
      { file: 'a.ts', line: 5, text: 'from the folder' },
    ]);
  });
});

describe('the sentences of a document', () => {
  it('are those of its paragraphs and points, without code and tables', () => {
    const page =
      '# Title\n\nOne. Two.\n\n- Three\n- Four\n\n```\nOf code.\n```\n\n| Of a table |\n';
    expect(listTexts(findMarkdownSentences('a.md', page))).toEqual([
      'Title',
      'One.',
      'Two.',
      'Three',
      'Four',
    ]);
  });
});

describe('a rule of prose', () => {
  it.each([
    ['opening', 'Of these the last is kept.', 'Offers the last one.'],
    ['opening', 'What is kept comes back.', 'Whatever is kept comes back.'],
    ['phrase', 'The page is told.', 'The core tells the page.'],
    [
      'phrase',
      'It waits, so that the disk no longer fills.',
      'It waits so that the disk can empty.',
    ],
    ['length', `${'word '.repeat(40)}more.`, `${'word '.repeat(39)}more.`],
  ])('%s refuses "%s"', (rule, bad, good) => {
    expect(proseRules[rule]?.(bad)).toBe(true);
    expect(proseRules[rule]?.(good)).toBe(false);
  });
});
