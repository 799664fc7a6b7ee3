import { describe, expect, it } from 'vitest';
import type { Cue } from '../../../../../electron/talk/captions/live-captions.ts';
import { toSrt, toVtt } from '../../../../../electron/talk/captions/subtitle-files.ts';

/** A turn with words of a second each. */
function cue(text: string, start = 0): Cue {
  const words = text.match(/\s*\S+/g) ?? [];
  return {
    turn: 1,
    words: words.map((word, n) => ({
      text: word,
      start: start + n * 1000,
      end: start + (n + 1) * 1000,
    })),
  };
}

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

  it('shows as much as can be read at once', () => {
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

  it('shows at most two lines', () => {
    const long = 'x'.repeat(20);
    const blocks = toVtt([cue(`${long} ${long} ${long} ${long} ${long}`)])
      .trim()
      .split('\n\n');
    expect(blocks.slice(1).map((block) => block.split('\n').slice(1))).toEqual([
      [`${long} ${long}`, `${long} ${long}`],
      [long],
    ]);
  });

  it('starts a block after a sentence, unless it is too short', () => {
    const blocks = toVtt([cue('Yes. It is nice. But not for long')])
      .trim()
      .split('\n\n');
    expect(blocks.slice(1).map((block) => block.split('\n').slice(1))).toEqual([
      ['Yes. It is nice.'],
      ['But not for long'],
    ]);
  });

  it('splits a word longer than a line', () => {
    const blocks = toVtt([cue(`see ${'x'.repeat(200)} there`)]);
    const lines = blocks.split('\n').filter((line) => line.includes('x'));
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(42);
    expect(lines.join('').replaceAll(/[^x]/g, '').length).toBe(200);
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
