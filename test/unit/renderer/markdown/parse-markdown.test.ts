import { describe, expect, it } from 'vitest';
import type {
  MarkdownBlock,
  MarkdownInline,
} from '../../../../renderer/markdown/markdown-nodes.ts';
import { createMarkdownParser } from '../../../../renderer/markdown/parse-markdown.ts';

const blocks = (text: string): readonly MarkdownBlock[] =>
  createMarkdownParser()(text).pieces.flatMap((piece) => piece.blocks);

const text = (words: string, at: number): MarkdownInline => ({ type: 'text', text: words, at });

function inlines(source: string): readonly MarkdownInline[] {
  const [block] = blocks(source);
  return block?.type === 'paragraph' ? block.children : [];
}

const all = [
  '# Title\n\nA paragraph with **strong**, *soft*, ~~gone~~ and `code`.',
  '1. one\n\n   more of one\n\n   ```js\n   let a;\n\n   let b;\n   ```\n\n2. two\n   - deep\n\nAfter.',
  '> quoted\n> **well**\n\n---\n\n| a | b |\n|:--|--:|\n| 1 | 2 |\n\n- [x] done\n- [ ] open',
  'Before\n```python\nprint("> # no")\n\n\nx = 1\n```\nbehind\n\n~~~~\n~~~\n~~~~\nend',
];

describe('Markdown', () => {
  it('knows headings, words in all kinds and where they stand', () => {
    expect(blocks(all[0] ?? '')).toEqual([
      { type: 'heading', level: 1, children: [text('Title', 2)] },
      {
        type: 'paragraph',
        children: [
          text('A paragraph with ', 9),
          { type: 'strong', children: [text('strong', 28)] },
          text(', ', 36),
          { type: 'emphasis', children: [text('soft', 39)] },
          text(', ', 44),
          { type: 'deleted', children: [text('gone', 48)] },
          text(' and ', 54),
          { type: 'code', text: 'code' },
          text('.', 65),
        ],
      },
    ]);
  });

  it('knows lists with everything in them', () => {
    const [list, after] = blocks(all[1] ?? '');
    expect(list).toMatchObject({
      type: 'list',
      start: 1,
      items: [
        {
          children: [
            { type: 'paragraph' },
            { type: 'paragraph' },
            { type: 'code', language: 'js', text: 'let a;\n\nlet b;' },
          ],
        },
        { children: [{ type: 'paragraph' }, { type: 'list', start: undefined }] },
      ],
    });
    expect(after).toMatchObject({ type: 'paragraph' });
  });

  it('knows quotes, rules, tables and tasks', () => {
    expect(blocks(all[2] ?? '')).toMatchObject([
      { type: 'quote', children: [{ type: 'paragraph' }] },
      { type: 'rule' },
      {
        type: 'table',
        head: [{ align: 'left' }, { align: 'right', children: [{ text: 'b' }] }],
        rows: [[{ children: [{ text: '1' }] }, { children: [{ text: '2' }] }]],
      },
      { type: 'list', items: [{ checked: true }, { checked: false }] },
    ]);
  });

  it('knows code by its fences, wherever they stand, and takes it as it is', () => {
    expect(blocks(all[3] ?? '')).toEqual([
      { type: 'paragraph', children: [text('Before', 0)] },
      { type: 'code', language: 'python', text: 'print("> # no")\n\n\nx = 1' },
      expect.objectContaining({ type: 'paragraph' }),
      { type: 'code', language: '', text: '~~~' },
      expect.objectContaining({ type: 'paragraph' }),
    ]);
    expect(blocks('```c++ title\nint a;\n')).toEqual([
      { type: 'code', language: 'c++', text: 'int a;' },
    ]);
    expect(blocks('```')).toEqual([{ type: 'code', language: '', text: '' }]);
    expect(blocks('```\n```')).toEqual([{ type: 'code', language: '', text: '' }]);
    expect(blocks('a ```b``` c')).toMatchObject([{ type: 'paragraph' }]);
  });

  it('knows strong words of Chinese, which need no spaces', () => {
    expect(inlines('他说：**你好。**然后走了，**再见！**完')).toEqual([
      text('他说：', 0),
      { type: 'strong', children: [text('你好。', 5)] },
      text('然后走了，', 10),
      { type: 'strong', children: [text('再见！', 17)] },
      text('完', 22),
    ]);
    expect(inlines('\\*\\*好。\\*\\*然')).toEqual([text('**好。**然', 0)]);
    expect(inlines('2 ** 3 ** 好')).toEqual([text('2 ** 3 ** 好', 0)]);
  });

  it('reads only what is new while a text grows, and comes to the same end', () => {
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
