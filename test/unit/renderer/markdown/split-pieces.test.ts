import { describe, expect, it } from 'vitest';
import { createMarkdownParser } from '../../../../renderer/markdown/parse-markdown.ts';
import { PieceSplitter } from '../../../../renderer/markdown/split-pieces.ts';
import { seeded } from '../../../fakes/seeded.ts';
import { randomRuns } from '../../../fakes/random-runs.ts';

const pieces = (text: string) => new PieceSplitter().split(text);
const parseNodes = (text: string) =>
  createMarkdownParser()(text).pieces.flatMap(({ nodes }) => nodes ?? []);
const types = (text: string) => parseNodes(text).map(({ type }) => type);

describe('the pieces of a long text', () => {
  it('split a list and continue its numbering', () => {
    const text = Array.from({ length: 200 }, (_, at) => `${at + 3}. item\n`).join('');
    const lists = parseNodes(text);
    expect(lists.length).toBeGreaterThan(2);
    let next = 3;
    for (const list of lists) {
      if (list.type !== 'list') throw new Error(`A ${list.type} in a list.`);
      expect(list.start).toBe(next);
      next += list.children.length;
    }
    expect(next).toBe(203);
  });

  it('keep a list with arbitrary numbers whole, and an item with its contents', () => {
    expect(types('1. item\n'.repeat(100))).toEqual(['list']);
    expect(types(`- item\n\n${'  more of it\n\n'.repeat(40)}`)).toEqual(['list']);
  });

  it('are the same when split a few lines at a time', () => {
    const text = `${'- item\n'.repeat(500)}\n~~~\ncode\n\n~~~\n\n${'words of it\n\n'.repeat(90)}the end`;
    const splitter = new PieceSplitter();
    const whole = pieces(text);
    let calls = 1;
    for (; ; calls += 1) {
      const found = splitter.split(text, 50);
      if (splitter.isWhole) break;
      // Only complete pieces; the open piece is not known yet.
      expect(found).toEqual(whole.slice(0, found.length));
      expect(found.length).toBeGreaterThanOrEqual(Math.floor((50 * calls) / 60) - 1);
    }
    expect(calls).toBe(Math.ceil(text.split('\n').length / 50));
    expect(splitter.split(text, 50)).toEqual(whole);
    const parse = createMarkdownParser();
    expect(parse(`${text}\n${'- item\n'.repeat(3000)}`, 100).isWhole).toBe(false);
  });

  it('keep a realistic table whole', () => {
    expect(types(`|a|b|\n|-|-|\n${'|one|two|\n'.repeat(120)}`)).toEqual(['table']);
  });

  it('split an endless line into paragraphs, never inside a surrogate pair', () => {
    for (const unit of ['word ', 'x', '👍', '好的。']) {
      const text = unit.repeat(9000);
      const found = pieces(text);
      expect(found.map((piece) => piece.text).join('')).toBe(text);
      for (const piece of found) {
        expect(piece.text.length).toBeLessThanOrEqual(6000);
        expect(piece.text).not.toMatch(/\p{Surrogate}/u);
      }
    }
  });

  it('never split code', () => {
    const text = `\`\`\`\n${'let a = 1;\n'.repeat(1000)}${'x'.repeat(9000)}\n\`\`\`\nEnd.`;
    expect(types(text)).toEqual(['code', 'paragraph']);
  });

  it('are the same for a growing text as for a complete one, and lose nothing', () => {
    const random = seeded(7);
    const bits = [
      'word ',
      '\n',
      '\n\n',
      '- item\n',
      '7. item\n',
      '```\n',
      '  more\n',
      '|a|b|\n',
    ].concat(['> said\n', '\r\n', '\r', '\t', '好。', 'long '.repeat(500), '- item\n'.repeat(40)]);
    for (let round = 0; round < randomRuns(40); round += 1) {
      const growing = new PieceSplitter();
      let text = '';
      for (let step = 0; step < 60; step += 1) {
        text += bits[Math.floor(random() * bits.length)] ?? '';
        const found = growing.split(text);
        expect(found).toEqual(pieces(text));
        const shown = found.map((piece) => piece.text).join('');
        expect(shown.replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
      }
    }
  });

  it('keep their identity while the text grows', () => {
    const growing = new PieceSplitter();
    const before = growing.split('One.\n\nTwo.\n\nThree');
    const after = growing.split('One.\n\nTwo.\n\nThree and more.\n\nFour');
    expect(after[0]).toBe(before[0]);
    expect(growing.split('Another.')).toEqual(pieces('Another.'));
  });
});
