import { describe, expect, it } from 'vitest';
import {
  createMarkdownParser,
  type MdastNode,
} from '../../../../renderer/markdown/parse-markdown.ts';

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

  it('parses lists and their contents', () => {
    const [list, after] = parseNodes(all[1] ?? '');
    expect(list).toMatchObject({
      type: 'list',
      start: 1,
      children: [
        {
          children: [
            { type: 'paragraph' },
            { type: 'paragraph' },
            { type: 'code', lang: 'js', value: 'let a;\n\nlet b;' },
          ],
        },
        { children: [{ type: 'paragraph' }, { type: 'list', ordered: false }] },
      ],
    });
    expect(after).toMatchObject({ type: 'paragraph' });
  });

  it('parses quotes, rules, tables and tasks', () => {
    expect(parseNodes(all[2] ?? '')).toMatchObject([
      { type: 'blockquote', children: [{ type: 'paragraph' }] },
      { type: 'thematicBreak' },
      {
        type: 'table',
        align: ['left', 'right'],
        children: [
          { children: [{}, { children: [{ value: 'b' }] }] },
          { children: [{ children: [{ value: '1' }] }, { children: [{ value: '2' }] }] },
        ],
      },
      { type: 'list', children: [{ checked: true }, { checked: false }] },
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
    ['short lines', '- a\n', 15],
    ['long paragraphs', `${'word '.repeat(200)}\n\n`, 5],
    ['code', '```\nlet a = 1;\n```\n', 10],
  ])('reads a long text of %s by parts of about the same work', (_name, unit, atLeast) => {
    const text = unit.repeat(Math.ceil(16_000 / unit.length));
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
    expect(Math.max(...parts.map((read, at) => read - (parts[at - 1] ?? 0)))).toBeLessThan(5000);
    expect(parse(text, 30)).toEqual(createMarkdownParser()(text));
  });
});
