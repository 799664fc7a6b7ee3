import { expect, it } from 'vitest';
import { cutAfterSentence, endOfSentences, joinPhrases } from '../../../shared/sentences.ts';

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
])('the phrases %j and %j are joined', (text, more, joined) => {
  expect(joinPhrases(text, more)).toBe(joined);
});
