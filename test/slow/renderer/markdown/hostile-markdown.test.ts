import { describe, expect, it } from 'vitest';
import type {
  MarkdownBlock,
  MarkdownInline,
} from '../../../../renderer/markdown/markdown-nodes.ts';
import { createMarkdownParser } from '../../../../renderer/markdown/parse-markdown.ts';
import { seeded } from '../../../fakes/seeded.ts';

const blocks = (text: string): readonly MarkdownBlock[] =>
  createMarkdownParser()(text).pieces.flatMap((piece) => piece.blocks);

const text = (words: string, at: number): MarkdownInline => ({ type: 'text', text: words, at });

function inlines(source: string): readonly MarkdownInline[] {
  const [block] = blocks(source);
  return block?.type === 'paragraph' ? block.children : [];
}

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
