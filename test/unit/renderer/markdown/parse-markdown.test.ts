import { describe, expect, it } from 'vitest';
import type { Block, Inline } from '../../../../renderer/markdown/nodes.ts';
import { createMarkdownParser } from '../../../../renderer/markdown/parse-markdown.ts';
import { seeded } from '../../../fakes/seeded.ts';

const blocks = (text: string): readonly Block[] =>
  createMarkdownParser()(text).flatMap((piece) => piece.blocks);

const text = (words: string, at: number): Inline => ({ type: 'text', text: words, at });

function inlines(source: string): readonly Inline[] {
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
    let before = parse('');
    let kept = 0;
    for (let length = 1; length <= whole.length; length += 3) {
      const now = parse(whole.slice(0, length));
      kept += now.filter((piece) => before.includes(piece)).length;
      before = now;
    }
    expect(parse(whole)).toEqual(createMarkdownParser()(whole));
    expect(kept).toBeGreaterThan(400);
    expect(parse(whole)[0]).toBe(parse(`${whole} more`)[0]);
  });
});

describe('Markdown with bad intent', () => {
  it('has no HTML: it is text', () => {
    const source = 'a <script>alert(1)</script> <img src=x onerror=alert(1)> <b>bold</b>';
    expect(inlines(source)).toEqual([text(source, 0)]);
    expect(
      JSON.stringify(blocks('<div onclick="x">\n\n<iframe src="//x">\n\n<!-- x -->')),
    ).not.toContain('"html"');
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java&#x73;cript:alert(1)',
    '&#1;javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'parley://do',
    '//example.com',
    '/settings',
    'about:blank',
    'blob:https://example.com/x',
  ])('has no link to %s', (address) => {
    const source = `[here](<${address}>)`;
    expect(inlines(source).every(({ type }) => type === 'text')).toBe(true);
    expect(JSON.stringify(blocks(`<${address}>`))).not.toContain('"link"');
    expect(JSON.stringify(blocks(`![x](<${address}>)`))).not.toContain('"address":');
  });

  it('shows where a link really leads', () => {
    expect(
      inlines('[bank.example](https://bank.example@evil.example/x) <mailto:a@b.example>'),
    ).toMatchObject([
      { type: 'link', shown: 'evil.example', children: [{ text: 'bank.example' }] },
      { text: ' ' },
      { type: 'link', shown: 'a@b.example', address: 'mailto:a@b.example' },
    ]);
    expect(inlines('[x](https://еxample.com)')).toMatchObject([{ shown: 'xn--xample-2of.com' }]);
    expect(inlines('https://example.com/a?b')).toMatchObject([
      { type: 'link', address: 'https://example.com/a?b' },
    ]);
  });

  it.each([
    ['nested quotes', '>'.repeat(10_000) + 'a'],
    ['nested quotes with spaces', '> '.repeat(10_000) + 'a'],
    ['nested lists', '- '.repeat(5000) + 'a'],
    [
      'lists that go in',
      Array.from({ length: 300 }, (_, at) => `${'  '.repeat(at)}- a`).join('\n'),
    ],
    ['open brackets', '['.repeat(15_900)],
    ['links in links', '[a]('.repeat(3900)],
    ['pictures', '![a]('.repeat(3100)],
    ['stars', '*a **b '.repeat(2200)],
    ['stars and underscores', '*_'.repeat(7900)],
    ['as many marks as are read', '*_ '.repeat(600)],
    ['as many brackets as are read', '[a]('.repeat(1200)],
    ['backticks', Array.from({ length: 180 }, (_, at) => '`'.repeat(at)).join(' ')],
    ['one word', 'a'.repeat(200_000)],
    ['one long line', 'The **quick** brown [fox](http://a.b). '.repeat(5200)],
    ['code without an end', `\`\`\`\n${'let a = 1;\n'.repeat(18_000)}`],
    ['a long table', `|a|b|\n|-|-|\n${'|c|d|\n'.repeat(33_000)}`],
    ['empty lines', '\n'.repeat(200_000)],
    ['tildes', '~'.repeat(200_000)],
    ['autolinks', 'www.a.b '.repeat(2000)],
    ['mailboxes', 'a@b.c'.repeat(3100)],
    ['stars of Chinese', '**好'.repeat(5200)],
  ])('takes no time for %s', (name, source) => {
    createMarkdownParser()('warm **up** [a](http://b.c)\n\n- a\n\n|a|\n|-|\n');
    const began = process.cpuUsage();
    const parsed = createMarkdownParser()(source);
    const { user, system } = process.cpuUsage(began);
    expect(parsed.map(({ source }) => source).join('').length).toBeLessThanOrEqual(source.length);
    // Its own time and not the clock's; without limits some of these take ten seconds.
    expect((user + system) / 1000).toBeLessThan(name.startsWith('nested') ? 200 : 600);
  });

  it('nests no deeper than can be shown', () => {
    const depthOf = (value: unknown): number => {
      if (typeof value !== 'object' || value === null) return 0;
      return 1 + Math.max(0, ...Object.values(value).map(depthOf));
    };
    for (const source of [
      '> '.repeat(24) + 'a',
      '*a **b '.repeat(400) + '** *'.repeat(400),
      Array.from({ length: 40 }, (_, at) => `${'  '.repeat(at)}- a`).join('\n'),
    ]) {
      expect(depthOf(blocks(source))).toBeLessThan(170);
    }
  });

  it('loses no letter of texts in any script, and never fails', () => {
    const random = seeded(11);
    const bits = [
      '**',
      '*',
      '`',
      '```\n',
      '\n\n',
      '\n',
      '> ',
      '- ',
      '1. ',
      '[',
      '](',
      ')',
      '|',
      '\t',
      '    ',
    ].concat([
      'שלום',
      'مرحبا',
      '你好。',
      '👩‍👩‍👧',
      'e\u0301\u0302',
      '\u202E',
      '\u0000',
      '<b>',
      '&amp;',
      '\\',
      '\r\n',
      'word ',
    ]);
    for (let round = 0; round < 100; round += 1) {
      const source = Array.from(
        { length: 40 },
        () => bits[Math.floor(random() * bits.length)],
      ).join('');
      const parsed = createMarkdownParser()(source);
      const shown = JSON.stringify(parsed.map((piece) => piece.blocks));
      for (const word of ['שלום', 'مرحبا', '你好。', '👩‍👩‍👧']) {
        if (source.includes(word)) expect(shown).toContain(word);
      }
    }
  });
});
