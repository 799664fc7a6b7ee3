import { describe, expect, it } from 'vitest';
import type { MarkdownBlock, MarkdownInline } from '../../../../renderer/markdown/nodes.ts';
import { createMarkdownParser } from '../../../../renderer/markdown/parse-markdown.ts';
import { cpuTime } from '../../../fakes/cpu-time.ts';
import { seeded } from '../../../fakes/seeded.ts';

const blocks = (text: string): readonly MarkdownBlock[] =>
  createMarkdownParser()(text).pieces.flatMap((piece) => piece.blocks);

const text = (words: string, at: number): MarkdownInline => ({ type: 'text', text: words, at });

function inlines(source: string): readonly MarkdownInline[] {
  const [block] = blocks(source);
  return block?.type === 'paragraph' ? block.children : [];
}

/** How many times the effort of an ordinary answer; without limits some of these take hundreds of times. */
function mostOf(name: string): number {
  if (name === 'many paragraphs') return 30;
  return name.startsWith('nested') ? 2 : 10;
}

/** The effort of an ordinary answer, once it is known. */
let usual: number | undefined;

const ordinary = 'A paragraph with *words* and a [link](http://x.y).\n\n'.repeat(200);

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
    ['many paragraphs', 'A paragraph with *words* and a [link](http://x.y).\n\n'.repeat(4000)],
    ['one long line', 'The **quick** brown [fox](http://a.b). '.repeat(5200)],
    ['code without an end', `\`\`\`\n${'let a = 1;\n'.repeat(18_000)}`],
    ['a long table', `|a|b|\n|-|-|\n${'|c|d|\n'.repeat(33_000)}`],
    ['empty lines', '\n'.repeat(200_000)],
    ['tildes', '~'.repeat(200_000)],
    ['autolinks', 'www.a.b '.repeat(2000)],
    ['mailboxes', 'a@b.c'.repeat(3100)],
    ['stars of Chinese', '**好'.repeat(5200)],
  ])('takes no time for %s', async (name, source) => {
    usual ??= await cpuTime(() => createMarkdownParser()(ordinary));
    const parsed = createMarkdownParser()(source).pieces;
    expect(parsed.map(({ source }) => source).join('').length).toBeLessThanOrEqual(source.length);
    const taken = await cpuTime(() => createMarkdownParser()(source), 2);
    expect(taken / usual).toBeLessThan(mostOf(name));
  });

  it.each([
    ['a list', '- item of a list\n'],
    ['short items', '- a\n'],
    ['items of numbers', '1. a\n'],
    ['headings with lines', 'a\n=\n'],
    ['lines that only return', 'a\r'],
    ['quotes', '> quote\n'],
    ['lists in lists', Array.from({ length: 24 }, (_, at) => `${'  '.repeat(at)}- a\n`).join('')],
    ['a table', '|c|d|\n'],
    ['one line', 'word '],
    ['one word', 'x'],
    ['brackets', '[a](b '],
    ['empty lines', '\n'],
  ])('grows as %s and costs by what is new', async (name, unit) => {
    usual ??= await cpuTime(() => createMarkdownParser()(ordinary));
    const text = unit.repeat(60_000 / unit.length);
    const end = Math.floor(text.length / 20);
    const taken = await cpuTime(() => {
      const parse = createMarkdownParser();
      // An answer comes word by word; the reader is asked with each of them.
      for (let at = 1; at <= 20; at += 1) parse(text.slice(0, at * end));
      for (let at = 1; at <= 20; at += 1) parse(text + unit.repeat(at));
    }, 2);
    process.stdout.write(`${name}: ${(taken / usual).toFixed(1)} times an ordinary answer\n`);
    expect(taken / usual).toBeLessThan(35);
  });

  it('reads no more than a model can have written, and shows the rest', () => {
    const paragraph = 'A **word** in a paragraph.\n\n';
    const parsed = createMarkdownParser()(paragraph.repeat(2500)).pieces;
    expect(parsed).toHaveLength(2500);
    expect(parsed.at(2200)?.blocks).toMatchObject([{ type: 'paragraph' }]);
    expect(parsed.at(-1)?.blocks).toEqual([
      { type: 'plain', text: 'A **word** in a paragraph.', at: 2499 * paragraph.length },
    ]);
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
      const parsed = createMarkdownParser()(source).pieces;
      const shown = JSON.stringify(parsed.map((piece) => piece.blocks));
      for (const word of ['שלום', 'مرحبا', '你好。', '👩‍👩‍👧']) {
        if (source.includes(word)) expect(shown).toContain(word);
      }
    }
  });
});
