import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { testGroups } from '../../set-up/test-groups.ts';
import { defaultSpecs, nightlyTests, specsNamed } from '../../set-up/test-tiers.ts';
import {
  findCommentSentences,
  findMarkdownSentences,
  findStringSentences,
  proseRules,
  stringRules,
} from '../../../scripts/lib/prose.mjs';
import { faults } from '../../gates/faults.ts';

it('every folder that contains tests is in a test group', () => {
  const withTests = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(test|spec)\.tsx?$/.test(file))
    .map((file) => file.split(/[\\/]/)[0]);
  expect(new Set(withTests)).toEqual(new Set(Object.values(testGroups).flat()));
});

it.each(nightlyTests)('the nightly test %s exists', (place) => {
  expect(existsSync(`test/${place}`)).toBe(true);
});

it.each(Object.entries(defaultSpecs))(
  'the default specs of %s exist, each once',
  (_host, names) => {
    expect(names.filter((name) => !existsSync(`test/e2e/${name}.spec.ts`))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  },
);

it('the pattern of a spec’s name matches only that spec', () => {
  const named = specsNamed(['vision/vision']);
  expect(named.test('/parley/test/e2e/vision/vision.spec.ts')).toBe(true);
  expect(named.test('/parley/test/e2e/vision/vision.desktop.spec.ts')).toBe(false);
});

it('the sentences of a source file are those of its comments, with the line they begin at', () => {
  const code = [
    '/** Keeps the newest. Drops the rest. */',
    "const address = 'http://example.org/';",
    '// The first line goes',
    '// on here.',
    '/** @param {string} from the folder */',
  ].join('\n');
  expect(findCommentSentences('a.ts', code)).toEqual([
    { file: 'a.ts', line: 1, text: 'Keeps the newest.' },
    { file: 'a.ts', line: 1, text: 'Drops the rest.' },
    { file: 'a.ts', line: 3, text: 'The first line goes on here.' },
    { file: 'a.ts', line: 5, text: 'from the folder' },
  ]);
});

it('the sentences of a document are those of its paragraphs, without code and tables', () => {
  const page = '# Title\n\nOne. Two.\n\n- Three\n\n```\nOf code.\n```\n\n| Of a table |\n';
  const texts = findMarkdownSentences('a.md', page).map(({ text }) => text);
  expect(texts).toEqual(['Title', 'One.', 'Two.', 'Three']);
});

it.each([
  ['opening', 'Of these the last is kept.', 'Offers the last one.'],
  ['opening', 'What is kept comes back.', 'Whatever is kept comes back.'],
  ['phrase', 'The page is told.', 'The core tells the page.'],
  ['phrase', 'It waits, so that the disk no longer fills.', 'It waits so that the disk can empty.'],
  ['length', `${'word '.repeat(40)}more.`, `${'word '.repeat(39)}more.`],
])('the prose rule "%s" refuses "%s"', (rule, bad, good) => {
  expect([proseRules[rule]?.(bad), proseRules[rule]?.(good)]).toEqual([true, false]);
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

  it.each([
    ['phrase', 'Load the page anew.', 'Reload the page.'],
    ['name who or what failed', 'nobody has caught: …', 'uncaught exception: …'],
    ['write "continue"', 'The talk goes on.', 'The talk continues.'],
    ['write "default: …"', 'a server; left out, the demonstration', 'a server (default: …)'],
    ['write "repeatable"', 'a header; may be given again', 'a header; repeatable'],
    ['write "is not a …"', '… is no tape.', 'There is no answer to continue.'],
    ['name the missing thing first', 'There is no bench ….', 'Unknown bench ….'],
  ])('are refused by the rule "%s", for example "%s"', (rule, bad, good) => {
    expect(stringRules[rule]?.(bad, 'electron/a.ts')).toBe(true);
    expect(stringRules[rule]?.(good, 'shared/i18n/en/a.ts')).toBe(false);
  });
});

// The slow run plants them. This test finds a renamed line sooner.
it('each planted fault has a file, code and a gate', () => {
  expect(faults.length).toBeGreaterThan(60);
  for (const { title, gate, file, code } of faults)
    expect([gate, file, code.trim()], title).not.toContain('');
});

describe('whatever a test replaced', () => {
  const home = process.env['HOME'];

  it('is replaced in that test', () => {
    vi.useFakeTimers();
    vi.stubEnv('HOME', '/elsewhere');
    vi.stubGlobal('fetch', undefined);
    vi.spyOn(Math, 'random').mockReturnValue(2);
    expect([process.env['HOME'], vi.isFakeTimers(), Math.random()]).toEqual([
      '/elsewhere',
      true,
      2,
    ]);
  });

  it('is restored before the next test', () => {
    expect([process.env['HOME'], vi.isFakeTimers()]).toEqual([home, false]);
    expect(Math.random()).toBeLessThan(1);
    expect(fetch).toBeTypeOf('function');
  });
});
