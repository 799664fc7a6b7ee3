import { describe, expect, it } from 'vitest';
import {
  toSafeJson,
  sanitizeLine,
  showHidden,
  stripControlCharacters,
  cutAfterSentence,
  endOfSentences,
  estimateTokens,
  joinPhrases,
  lastTextThatFits,
} from '../../../shared/text.ts';

const commands = '\u0000\u0007\u001b\u007f\u009b\u2028\u202a\u202e\u2066\u2069\ufff9\r';

describe('text from outside', () => {
  it('loses control characters and nothing else', () => {
    expect(stripControlCharacters(`a${commands}b\tc\nd é 好 😀 \u200f👩‍👧`)).toBe(
      'ab\tc\nd é 好 😀 \u200f👩‍👧',
    );
  });

  it('is cut to one line without splitting a character', () => {
    expect(sanitizeLine(`one\n\u001b[2J two  three`)).toBe('one [2J two three');
    expect(sanitizeLine('😀😀😀', 3)).toBe('😀…');
    expect(sanitizeLine('abc', 3)).toBe('abc');
    expect(sanitizeLine('x'.repeat(1e6), 10)).toBe('xxxxxxxxxx…');
  });

  it('keeps its meaning in JSON, with control characters escaped', () => {
    const value = { name: `a${commands}"\n` };
    const line = toSafeJson(value);
    expect(JSON.parse(line)).toEqual(value);
    // oxlint-disable-next-line no-control-regex -- the test checks that there are none
    expect(line).toMatch(/^[\u0020-\u007e]+$/u);
  });

  it('shows characters that are hidden or that reorder it, but keeps joined emoji', () => {
    expect(showHidden('a\u202etxt.exe\u200b\u{e0041}\tb\n👩‍👧 ❤️ é 好')).toBe(
      'a\\u202etxt.exe\\u200b\\udb40\\udc41\tb\n👩‍👧 ❤️ é 好',
    );
  });
});

it('the end of the last complete sentence is found in English and Chinese', () => {
  expect(endOfSentences('One. “Two!” and thr')).toBe('One. “Two!”'.length);
  expect(endOfSentences('好的。然后（走了！）再')).toBe('好的。然后（走了！）'.length);
  expect(endOfSentences('Version 1.2 of it')).toBe(0);
});

it('a text is cut after a sentence, else between words, else between characters', () => {
  expect(cutAfterSentence('One two. Three four', 5)).toBe('One two. '.length);
  expect(cutAfterSentence('One two. Three four', 12)).toBe('One two. Three '.length);
  expect(cutAfterSentence('好的。然后', 2)).toBe(3);
  expect(cutAfterSentence('xxxx', 2)).toBe(4);
  expect(cutAfterSentence('xx👍'.slice(0, 3), 2)).toBe(2);
});

it.each([
  ['Hello there', 'and on', 'Hello there and on'],
  ['明天几点', '出发？', '明天几点出发？'],
  ['好的。', '然后呢？', '好的。然后呢？'],
  ['问 Parley', '明天几点', '问 Parley 明天几点'],
  ['', '明天', '明天'],
  ['Hello', '', 'Hello'],
])('the phrases %j and %j are joined with or without a space', (text, more, joined) => {
  expect(joinPhrases(text, more)).toBe(joined);
});

it.each([
  'I moved to Oslo last year.',
  '我去年搬到了奥斯陆。',
  'Я переехал в Осло.',
  'So 👍👍👍 good',
])('the end of %j that fits begins at a word, and never costs more tokens than allowed', (text) => {
  for (let most = 1; most <= estimateTokens(text); most += 1) {
    const end = lastTextThatFits(text, most);
    expect(estimateTokens(end)).toBeLessThanOrEqual(most);
    expect(text.endsWith(end)).toBe(true);
    expect(end).not.toMatch(/^[\udc00-\udfff]/);
  }
  expect(lastTextThatFits(text, estimateTokens(text))).toBe(text);
});

it('characters outside of ASCII count as a token each', () => {
  const texts = ['Word up', '我去', 'Осло', '👍'];
  expect(texts.map((text) => estimateTokens(text))).toEqual([3, 2, 4, 2]);
});
