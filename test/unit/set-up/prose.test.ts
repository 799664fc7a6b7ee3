import { describe, expect, it } from 'vitest';
import {
  proseRules,
  findMarkdownSentences,
  findCommentSentences,
  findStringSentences,
  stringRules,
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

describe('the sentences of strings', () => {
  it('are those of log lines, errors and descriptions, with … for values', () => {
    const code = [
      "log?.write('warn', `the port ${port} is taken`);",
      "throw new UsageError(isNew ? 'It is new. It stays.' : 'plain');",
      "export const spec = { about: 'a port', value: 'not read here' };",
      "print('not read either');",
    ].join('\n');
    expect(findStringSentences('electron/a.ts', code)).toEqual([
      { file: 'electron/a.ts', line: 1, text: 'the port … is taken' },
      { file: 'electron/a.ts', line: 2, text: 'It is new.' },
      { file: 'electron/a.ts', line: 2, text: 'It stays.' },
      { file: 'electron/a.ts', line: 3, text: 'a port' },
    ]);
  });

  it('are all strings of the interface and of the terminal, except prompts for the model', () => {
    const code = "export const texts = { lost: 'After {{seconds}} s' };";
    expect(listTexts(findStringSentences('shared/i18n/en/talk.ts', code))).toEqual(['After … s']);
    expect(findStringSentences('shared/i18n/en/prompts.ts', code)).toEqual([]);
  });

  it.each([
    ['phrase', 'Load the page anew.', 'Reload the page.'],
    ['name who or what failed', 'nobody has caught: …', 'uncaught exception: …'],
    ['write "continue"', 'The talk goes on.', 'The talk continues.'],
    ['write "default: …"', 'a server; left out, the demonstration', 'a server (default: …)'],
    ['write "repeatable"', 'a header; may be given again', 'a header; repeatable'],
    ['write "is not a …"', '… is no tape.', 'There is no answer to continue.'],
    ['name the missing thing first', 'There is no bench ….', 'Unknown bench ….'],
  ])('break the rule %s with "%s"', (rule, bad, good) => {
    expect(stringRules[rule]?.(bad, 'electron/a.ts')).toBe(true);
    expect(stringRules[rule]?.(good, 'shared/i18n/en/a.ts')).toBe(false);
  });
});
