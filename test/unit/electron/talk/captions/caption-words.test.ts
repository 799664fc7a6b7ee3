import { describe, expect, it } from 'vitest';
import { CaptionWords, SpeechClock } from '../../../../../electron/talk/captions/caption-words.ts';
import { seeded } from '../../../../fakes/seeded.ts';

const alone = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}`;
/** The words of a whole text, for comparison. */
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

const second = 24_000;

function tone(samples: number, loudness = 0.3): Float32Array {
  return Float32Array.from({ length: samples }, (_, n) => loudness * Math.sin(n / 20));
}

/** Half a second of speech, a pause of 0.3 s, and half a second of speech. */
function withPause(): SpeechClock {
  const clock = new SpeechClock();
  for (const block of [tone(second / 2), tone(second * 0.3, 0.001), tone(second / 2)]) {
    // Blocks of odd lengths make no difference.
    for (let at = 0; at < block.length; at += 777) clock.push(block.subarray(at, at + 777));
  }
  return clock;
}

describe('the speech clock', () => {
  it('almost stops in a pause', () => {
    const clock = withPause();
    expect(clock.samples).toBe(1.3 * second);
    expect(clock.spokenBefore(second / 2)).toBe(second / 2);
    expect(clock.spokenBefore(second * 0.8)).toBeCloseTo(second / 2 + 0.02 * 0.3 * second);
    expect(clock.spoken).toBeCloseTo(second + 0.02 * 0.3 * second);
  });

  it('finds the sample for an amount of speech, even within a frame', () => {
    const clock = withPause();
    expect(clock.sampleAfter(0)).toBe(0);
    expect(clock.sampleAfter(1234)).toBe(1234);
    expect(clock.sampleAfter(clock.spokenBefore(second) + 1000)).toBe(second + 1000);
    expect(clock.sampleAfter(clock.spoken + 1)).toBeUndefined();
  });

  it('finds where speech resumes after a pause, but ignores pauses within words', () => {
    expect(withPause().resumes).toEqual([
      expect.closeTo(second / 2 + 0.02 * 0.3 * second) as number,
    ]);
    const short = new SpeechClock();
    for (const block of [tone(second), tone(second * 0.1, 0), tone(second)]) short.push(block);
    expect(short.resumes).toEqual([]);
  });

  it('measures relative to the loudest frame, so a quiet voice counts', () => {
    const soft = new SpeechClock();
    soft.push(tone(second, 0.01));
    expect(soft.spoken).toBe(second);
  });

  it('counts constant silence as a little speech, so that words keep their order', () => {
    const silent = new SpeechClock();
    silent.push(new Float32Array(second));
    expect(silent.spoken).toBeCloseTo(0.02 * second);
    expect(silent.sampleAfter(silent.spoken / 2)).toBe(second / 2);
  });
});
