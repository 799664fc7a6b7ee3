import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { languageIds } from '../../../../shared/i18n/languages.ts';

const ids = languageIds.join('|');

/** A language by its code: as a text, as a key, or begun with. */
const named = new RegExp(
  `(['"\`])(?:${ids})(?:-\\w+)?\\1|\\b(?:${ids}):|\\^\\(?(?:${ids})\\b`,
  'u',
);

const linesNaming = (text: string): readonly string[] =>
  text.split('\n').filter((line) => named.test(line));

const sources = ['electron', 'renderer', 'shared'].flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('node_modules'))
    .map((file) => join(room, file)),
);

it('a language is named in its folder and in the list of languages, and nowhere else', () => {
  const found: string[] = [];
  for (const file of sources) {
    if (file.startsWith(join('shared', 'i18n'))) continue;
    found.push(...linesNaming(readFileSync(file, 'utf8')).map((line) => `${file}: ${line.trim()}`));
  }
  expect(sources.length).toBeGreaterThan(500);
  expect(found).toEqual([]);
});

it.each([
  "type Language = 'system' | 'en' | 'zh';",
  "if (locale.startsWith('zh-CN')) return words;",
  'const words = { en: english, zh: chinese };',
  'const chinese = /^zh/.test(locale);',
])('it is seen in %s', (line) => {
  expect(linesNaming(`first\n${line}`)).toEqual([line]);
});

it.each(["const texts = 'then';", 'const token: string = seen;', "import './i18n/en/chat.ts';"])(
  'it is not seen in %s',
  (line) => {
    expect(linesNaming(line)).toEqual([]);
  },
);
