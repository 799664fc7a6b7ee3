import { describe, expect, it } from 'vitest';
import type { Cue } from '../../../../../electron/talk/captions/live-captions.ts';
import { toSrt, toVtt } from '../../../../../electron/talk/captions/subtitle-files.ts';

/** A turn with words of a second each. */
const cueOf = (words: readonly string[], start = 0): Cue => ({
  turn: 1,
  words: words.map((text, n) => ({
    text,
    start: start + n * 1000,
    end: start + (n + 1) * 1000,
  })),
});
const cue = (text: string, start = 0): Cue => cueOf(text.match(/\s*\S+/g) ?? [], start);

describe('WebVTT', () => {
  it('writes the header and times of all sizes', () => {
    expect(toVtt([cue('Hello there', 3_723_004.4), cue('Bye', 3_725_999.6)])).toBe(
      [
        'WEBVTT\n',
        '01:02:03.004 --> 01:02:05.004\nHello there\n',
        '01:02:06.000 --> 01:02:07.000\nBye\n',
      ].join('\n'),
    );
    expect(toVtt([])).toBe('WEBVTT\n');
  });

  it('escapes text that looks like a tag', () => {
    expect(toVtt([cue('<b> & --> \n\n x')])).toContain('\n&lt;b&gt; &amp; --&gt; x\n');
  });

  it('shows at most two lines of 42 letters, and twelve words, at a time', () => {
    const text = Array.from({ length: 40 }, (_, n) => `word${n}`).join(' ');
    const blocks = toVtt([cue(text)])
      .trim()
      .split('\n\n')
      .slice(1);
    for (const block of blocks) {
      const [, ...lines] = block.split('\n');
      expect(lines.length).toBeLessThanOrEqual(2);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(42);
      expect(lines.join(' ').split(' ').length).toBeLessThanOrEqual(12);
    }
    expect(blocks.flatMap((block) => block.split('\n').slice(1)).join(' ')).toBe(text);
    expect(blocks[1]).toMatch(/^00:00:12\.000 --> 00:00:24\.000\n/);
  });
});

describe('SubRip', () => {
  it('numbers its cues and writes decimal commas', () => {
    expect(toSrt([cue('a <b> --> c', 1500), cue('d', 6000)])).toBe(
      [
        '1\n00:00:01,500 --> 00:00:05,500\na <b> -> c\n',
        '2\n00:00:06,000 --> 00:00:07,000\nd\n',
      ].join('\n'),
    );
  });
});

/** Blocks with their times. */
const blocksOf = (words: readonly string[], start = 0): readonly string[] =>
  toVtt([cueOf(words, start)])
    .trim()
    .split('\n\n')
    .slice(1);

const linesOf = (words: readonly string[]): readonly (readonly string[])[] =>
  blocksOf(words).map((block) => block.split('\n').slice(1));

it('a subtitle fills a line with up to 42 letters', () => {
  const [left, right] = ['x'.repeat(20), ` ${'y'.repeat(21)}`];
  expect(linesOf([left, right])).toEqual([[left + right]]);
  expect(linesOf([left, `${right}y`])).toEqual([[left, `${right}y`.trim()]]);
});

it('a subtitle fills a line with 21 Chinese characters, without a limit of words', () => {
  const letters = Array.from({ length: 43 }, () => '好');
  const line = '好'.repeat(21);
  expect(linesOf(letters)).toEqual([[line, line], ['好']]);
});

it('a subtitle splits a word of 43 letters, but not one of 42', () => {
  expect(linesOf(['x'.repeat(42)])).toEqual([['x'.repeat(42)]]);
  expect(linesOf(['see', ` ${'x'.repeat(42)}`])).toEqual([['see', 'x'.repeat(42)]]);
  expect(linesOf(['x'.repeat(43)])).toEqual([['x'.repeat(42), 'x']]);
  expect(linesOf(['see', ` ${'x'.repeat(43)}`])).toEqual([
    [`see ${'x'.repeat(21)}`, 'x'.repeat(22)],
  ]);
});

it('a subtitle gives each piece of a split word its share of the time', () => {
  const cue: Cue = { turn: 1, words: [{ text: 'x'.repeat(126), start: 2000, end: 8000 }] };
  const [, first, second] = toVtt([cue]).trim().split('\n\n');
  expect(first).toMatch(/^00:00:02\.000 --> 00:00:06\.000\n/);
  expect(second).toMatch(/^00:00:06\.000 --> 00:00:08\.000\n/);
});

it.each([
  ['a full stop', ['It', ' is', ' so', ' nice.', ' Yes'], 2],
  ['a question mark and a quote', ['“Is', ' it', ' so', ' nice?”', ' Yes'], 2],
  ['a full stop of Chinese', ['好', ' a', ' b', ' c。', ' d'], 2],
  ['three words only', ['It', ' is', ' nice.', ' Yes'], 1],
  ['a comma', ['It', ' is', ' so', ' nice,', ' yes'], 1],
  ['a full stop within a word', ['It', ' is', ' so', ' nice.ly', ' yes'], 1],
  ['a last sentence', ['It', ' is', ' so', ' nice.'], 1],
])('a new subtitle starts after a sentence of at least four words: %s', (_name, words, count) => {
  expect(linesOf(words)).toHaveLength(count);
});

it('subtitles clamp negative times to zero, and have no block without words', () => {
  expect(blocksOf(['so'], -400)).toEqual(['00:00:00.000 --> 00:00:00.600\nso']);
  expect(blocksOf([])).toEqual([]);
});

it('SubRip shows a wide subtitle on two lines', () => {
  const [left, right] = ['x'.repeat(30), 'y'.repeat(30)];
  const words = [left, ` ${right}`].map((text) => ({ text, start: 0, end: 1000 }));
  expect(toSrt([{ turn: 1, words }])).toBe(`1\n00:00:00,000 --> 00:00:01,000\n${left}\n${right}\n`);
});
