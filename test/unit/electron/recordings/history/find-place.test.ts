import { describe, expect, it } from 'vitest';
import { findPlace, firstWords } from '../../../../../electron/recordings/history/find-place.ts';
import {
  toIndexMatch,
  indexWordSteps,
  splitQuery,
} from '../../../../../electron/recordings/history/history-index.ts';
import { recordedServer } from '../../../../../shared/recordings/talk-record.ts';
import { indexWords } from '../../../../fakes/index-words.ts';

describe('the words of the index', () => {
  it.each([
    ['Grüße, Élan & 42 km!', 'gruße elan 42 km'],
    ['你好吗', '你好 好吗 吗'],
    ['iPhone手机7', 'iphone 手机 机 7'],
    ['我', '我'],
    ['…!?', ''],
    ['ｆｕｌｌ　ｗｉｄｔｈ', 'full width'],
  ])('are, for %j, %j', (text, words) => {
    expect(indexWords(text)).toBe(words);
  });

  it('are the same for long texts without spaces, which are split in steps', () => {
    // Letters outside the BMP take two units and must stay whole.
    const letters = Array.from('𠮷野家的黄河源头'.repeat(20_000));
    const pairs = letters.map((letter, at) => `${letter}${letters[at + 1] ?? ''}`);
    const text = letters.join('');
    expect(indexWords(text) === pairs.join(' ')).toBe(true);
    expect([...indexWordSteps(text)].length).toBeGreaterThan(5);
    expect([...indexWordSteps('a few words '.repeat(20_000))].length).toBeGreaterThan(5);
  });

  it.each([
    ['Wa bo', '"wa"* AND "bo"*'],
    ['你好吗', '"你好 好吗"'],
    ['我', '"我"*'],
    ['"; DROP', '"drop"*'],
    ['…', undefined],
    ['', undefined],
  ])('match the query %j by the expression %j', (query, match) => {
    expect(toIndexMatch(query)).toBe(match);
  });
});

describe('the place of a match', () => {
  const placed = (text: string, query: string) => {
    const { excerpt, marks } = findPlace([{ text, turn: 3 }], splitQuery(query));
    return [excerpt, marks.map(({ from, to }) => excerpt.slice(from, to))];
  };

  it.each([
    ['The boiling point of water', 'WAT poi', ['The boiling point of water', ['poi', 'wat']]],
    ['Étude and étude', 'etud', ['Étude and étude', ['Étud', 'étud']]],
    ['谁知道黄河的源头', '黄河', ['谁知道黄河的源头', ['黄河']]],
    ['restart the art', 'art', ['restart the art', ['art']]],
    ['👍🏽 thumbs', 'thumb', ['👍🏽 thumbs', ['thumb']]],
    ['aaaa', 'a aa', ['aaaa', ['aa']]],
    ['two\n lines', 'two lines', ['two lines', ['two', 'lines']]],
  ])('has an excerpt with marks in %j for the query %j', (text, query, shown) => {
    expect(placed(text, query)).toEqual(shown);
  });

  it('has a shortened excerpt of long texts, also where folding changes the length', () => {
    const text = `${'ﬁ '.repeat(100)}needle ${'x'.repeat(300)}`;
    const [excerpt, marks] = placed(text, 'needle');
    expect([excerpt?.length, marks]).toEqual([166, ['needle']]);
    expect(excerpt).toMatch(/^….*…$/u);
  });

  it('names the turn, and has an empty excerpt without a match', () => {
    const texts = [{ text: 'one' }, { text: 'two', turn: 7 }];
    expect(findPlace(texts, ['two'])).toMatchObject({ turn: 7 });
    expect(findPlace(texts, ['three'])).toEqual({ excerpt: '', marks: [] });
  });
});

describe('the first words of a talk', () => {
  it('are one line that never ends within a character', () => {
    expect(firstWords(['', ' \n', ' Hello\n there ', 'more'])).toBe('Hello there');
    expect(firstWords([`${'x'.repeat(79)}👍👍`])).toBe(`${'x'.repeat(79)}…`);
    expect(firstWords([])).toBe('');
  });
});

describe('the server of a talk', () => {
  it.each([
    ['wss://user:pass@host:8443/v1?token=t#x', 'wss://host:8443/v1'],
    ['wss://host/a?b=c@d', 'wss://host/a'],
    ['nonsense', undefined],
    [undefined, undefined],
  ])('is recorded from %j as %j', (address, recorded) => {
    expect(recordedServer('Home', address).address).toBe(recorded);
  });
});
