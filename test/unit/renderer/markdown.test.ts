import { describe, expect, it } from 'vitest';
import { createMarkdownParser, type MdastNode } from '../../../renderer/markdown/parse-markdown.ts';
import { PieceSplitter } from '../../../renderer/markdown/split-pieces.ts';
import { randomRuns, seeded } from '../../fakes/seeded.ts';

const parseNodes = (text: string): readonly MdastNode[] =>
  createMarkdownParser()(text).pieces.flatMap(({ nodes }) => nodes ?? []);

/** A text node at this offset in its piece. */
const text = (value: string, offset: number): object => ({
  type: 'text',
  value,
  position: { start: { offset } },
});

const all = [
  '# Title\n\nA paragraph with **strong**, *soft*, ~~gone~~ and `code`.',
  '1. one\n\n   more of one\n\n   ```js\n   let a;\n\n   let b;\n   ```\n\n2. two\n   - deep\n\nAfter.',
  '> quoted\n> **well**\n\n---\n\n| a | b |\n|:--|--:|\n| 1 | 2 |\n\n- [x] done\n- [ ] open',
  'Before\n```python\nprint("> # no")\n\n\nx = 1\n```\nbehind\n\n~~~~\n~~~\n~~~~\nend',
];

describe('the Markdown parser', () => {
  it('parses headings and inline formatting with their positions', () => {
    const { pieces } = createMarkdownParser()(all[0] ?? '');
    expect(pieces).toMatchObject([
      { at: 0, nodes: [{ type: 'heading', depth: 1, children: [text('Title', 2)] }] },
      {
        at: 9,
        nodes: [
          {
            type: 'paragraph',
            children: [
              text('A paragraph with ', 0),
              { type: 'strong', children: [text('strong', 19)] },
              text(', ', 27),
              { type: 'emphasis', children: [text('soft', 30)] },
              text(', ', 35),
              { type: 'delete', children: [text('gone', 39)] },
              text(' and ', 45),
              { type: 'inlineCode', value: 'code' },
              text('.', 56),
            ],
          },
        ],
      },
    ]);
  });

  it('parses fenced code verbatim even inside a paragraph', () => {
    expect(parseNodes(all[3] ?? '')).toMatchObject([
      { type: 'paragraph', children: [text('Before', 0)] },
      { type: 'code', lang: 'python', value: 'print("> # no")\n\n\nx = 1' },
      { type: 'paragraph' },
      { type: 'code', lang: '', value: '~~~' },
      { type: 'paragraph' },
    ]);
    expect(parseNodes('```c++ title\nint a;\n')).toEqual([
      { type: 'code', lang: 'c++', value: 'int a;' },
    ]);
    expect(parseNodes('```')).toEqual([{ type: 'code', lang: '', value: '' }]);
    expect(parseNodes('```\n```')).toEqual([{ type: 'code', lang: '', value: '' }]);
    expect(parseNodes('a ```b``` c')).toMatchObject([{ type: 'paragraph' }]);
  });

  it('parses only new text while a text grows, with the same result', () => {
    const whole = all.join('\n\n');
    const parse = createMarkdownParser();
    let before = parse('').pieces;
    let kept = 0;
    for (let length = 1; length <= whole.length; length += 3) {
      const now = parse(whole.slice(0, length)).pieces;
      kept += now.filter((piece) => before.includes(piece)).length;
      before = now;
    }
    expect(parse(whole)).toEqual(createMarkdownParser()(whole));
    expect(kept).toBeGreaterThan(400);
    expect(parse(whole).pieces[0]).toBe(parse(`${whole} more`).pieces[0]);
  });

  it.each([
    ['short lines', '- a\n', 4],
    ['long paragraphs', `${'word '.repeat(200)}\n\n`, 1],
    ['code', '```\nlet a = 1;\n```\n', 3],
  ])('reads a long text of %s in parts of about the same work', (_name, unit, atLeast) => {
    const text = unit.repeat(Math.ceil(6000 / unit.length));
    const parse = createMarkdownParser();
    const parts: number[] = [];
    for (let whole = false; !whole;) {
      const { pieces, isWhole } = parse(text, 30);
      const read = pieces.reduce((letters, { source }) => letters + source.length, 0);
      expect(read).toBeGreaterThan(parts.at(-1) ?? 0);
      parts.push(read);
      whole = isWhole;
    }
    expect(parts.length).toBeGreaterThan(atLeast);
    expect(Math.max(...parts.map((read, at) => read - (parts[at - 1] ?? 0)))).toBeLessThan(4000);
    expect(parse(text, 30)).toEqual(createMarkdownParser()(text));
  });
});

const pieces = (text: string) => new PieceSplitter().split(text);
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

  it('are few where nothing is parsed, so that a flood of short lines is split quickly', () => {
    const count = (lines: number) => pieces('a\n\n'.repeat(lines)).length;
    const [half, whole] = [count(50_000), count(100_000)];
    expect(whole - half).toBeLessThan(100_000 / 100);
    const splitter = new PieceSplitter();
    const text = 'a\n\n'.repeat(1000);
    const found = splitter.split(text);
    expect(splitter.split(text)).toBe(found);
    expect(splitter.split(`${text}b`).at(-1)?.text).toBe('b');
  });

  it('are the same when split a few lines at a time', () => {
    const text = `${'- item\n'.repeat(500)}\n~~~\ncode\n\n~~~\n\n${'words of it\n\n'.repeat(90)}the end`;
    const splitter = new PieceSplitter();
    const whole = pieces(text);
    let calls = 1;
    for (; ; calls += 1) {
      const found = splitter.split(text, 50);
      if (splitter.isWhole) break;
      // Only complete pieces are compared, because the open piece is not known yet.
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
