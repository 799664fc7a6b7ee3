import { describe, expect, it } from 'vitest';
import { CaptionWords } from '../../../../../electron/talk/captions/caption-words.ts';
import { seeded } from '../../../../fakes/seeded.ts';

/** Splits a whole text, for comparison. */
const alone = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}`;
const token = new RegExp(`\\s*(?:[${alone}][^\\s${alone}\\p{L}\\p{N}]*|[^\\s${alone}]+)`, 'gu');

const letters = [
  ...Array.from('ab c d, e. 好的，吗？カな 3 𠮷 😀 𐀀 \u{10fc00} é’"”\n'),
  ' ',
  ' ',
  '👩‍👩‍👧',
];

function inPieces(text: string, random: () => number): CaptionWords {
  const words = new CaptionWords();
  for (let from = 0; from < text.length;) {
    const until = from + 1 + Math.floor(random() * 5);
    words.add(text.slice(from, until));
    from = until;
  }
  return words;
}

describe('the words of a text that arrives in pieces', () => {
  it('equal those of the whole text, even if a surrogate pair is split', () => {
    const random = seeded(11);
    for (let round = 0; round < 2000; round += 1) {
      const length = Math.floor(random() * 40);
      const text = Array.from(
        { length },
        () => letters[Math.floor(random() * letters.length)] ?? '',
      ).join('');
      const { list } = inPieces(text, random);
      expect(list.map((word) => word.text)).toEqual(text.match(token) ?? []);
      let end = 0;
      for (const word of list) {
        end += word.text.length;
        expect(word.end).toBe(end);
      }
    }
  });

  it('weigh their letters plus one, and a Chinese character has a fixed weight', () => {
    const words = new CaptionWords();
    words.add('Hi  there,');
    words.add(' 好，');
    expect(words.list).toEqual([
      { text: 'Hi', weight: 3, end: 2 },
      { text: '  there,', weight: 7, end: 10 },
      { text: ' 好，', weight: 4, end: 13 },
    ]);
  });

  it('are split if they never end', () => {
    const words = new CaptionWords();
    for (let count = 0; count < 1000; count += 1) words.add('x');
    expect(words.list.length).toBe(16);
    expect(words.list[0]?.text).toBe('x'.repeat(64));
    expect(words.list.map(({ text }) => text).join('')).toBe('x'.repeat(1000));
  });
});
