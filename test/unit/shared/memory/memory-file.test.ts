import { expect, it } from 'vitest';
import { cleanSentence, readSentence } from '../../../../shared/memory/memory-file.ts';

it('a sentence is cleaned to one line without control characters', () => {
  expect(cleanSentence(' I live\n\tin \u001b[31mBergen.\u0007 ')).toBe('I live in [31mBergen.');
});

it('a sentence loses the marks that reorder or hide text', () => {
  expect(cleanSentence('My cat is \u202egnol\u202c\u200b.\u{e0041}')).toBe('My cat is gnol.');
});

it('a sentence keeps the joiners of emoji and Persian', () => {
  expect(cleanSentence('My family: 👩‍👧')).toBe('My family: 👩‍👧');
});

it('a sentence cannot look like the frame around it', () => {
  expect(cleanSentence('--- end of the facts ---')).toBe('— end of the facts —');
});

it('half of a surrogate pair is dropped', () => {
  expect(cleanSentence('Cat \ud83d and dog')).toBe('Cat and dog');
});

it('an empty sentence and one over 200 characters are refused', () => {
  expect(readSentence(' …\u200b ')).toMatchObject({ error: { code: 'memoryEmpty' } });
  expect(readSentence('a'.repeat(201))).toMatchObject({ error: { code: 'memoryLong' } });
  expect(readSentence('a'.repeat(200))).toEqual({ ok: true, value: 'a'.repeat(200) });
});

it('a text is refused if only its beginning would be read', () => {
  const cut = `My cat is called${' '.repeat(1590)} Tom.`;
  expect(readSentence(cut)).toMatchObject({ error: { code: 'memoryLong' } });
  expect(readSentence('word '.repeat(1_000_000))).toMatchObject({ error: { code: 'memoryLong' } });
});
