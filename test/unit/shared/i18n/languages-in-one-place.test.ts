import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { languageIds } from '../../../../shared/i18n/languages.ts';

const ids = languageIds.join('|');

/** A language code as a string, as a key, or at the start of a pattern. */
const languageCode = new RegExp(
  `(['"\`])(?:${ids})(?:-\\w+)?\\1|\\b(?:${ids}):|\\^\\(?(?:${ids})\\b`,
  'u',
);

const linesWithCode = (text: string): readonly string[] =>
  text.split('\n').filter((line) => languageCode.test(line));

const sources = ['electron', 'renderer', 'shared'].flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('node_modules'))
    .map((file) => join(room, file)),
);

it('language codes appear only in shared/i18n', () => {
  const found: string[] = [];
  for (const file of sources) {
    if (file.startsWith(join('shared', 'i18n'))) continue;
    found.push(
      ...linesWithCode(readFileSync(file, 'utf8')).map((line) => `${file}: ${line.trim()}`),
    );
  }
  expect(sources.length).toBeGreaterThan(500);
  expect(found).toEqual([]);
});

it.each([
  "type Language = 'system' | 'en' | 'zh';",
  "if (locale.startsWith('zh-CN')) return words;",
  'const words = { en: english, zh: chinese };',
  'const chinese = /^zh/.test(locale);',
])('finds a language code in %s', (line) => {
  expect(linesWithCode(`first\n${line}`)).toEqual([line]);
});

it.each(["const texts = 'then';", 'const token: string = seen;', "import './i18n/en/chat.ts';"])(
  'finds no language code in %s',
  (line) => {
    expect(linesWithCode(line)).toEqual([]);
  },
);
