import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Markdown } from '../../../../renderer/markdown/markdown.tsx';
import { createMarkdownParser } from '../../../../renderer/markdown/parse-markdown.ts';
import { seeded } from '../../../fakes/seeded.ts';

const actions = {
  openLink: () => undefined,
  copyCode: () => undefined,
  labels: { copy: '', copied: '', picture: '' },
};

/** The page's HTML for the text. */
const show = (text: string): string =>
  renderToStaticMarkup(<Markdown text={text} actions={actions} />);

describe('hostile Markdown', () => {
  it('shows HTML as text', () => {
    const source = 'a <script>alert(1)</script> <img src=x onerror=alert(1)> <b>bold</b>';
    const escaped = source.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    expect(show(source)).toBe(`<div class="markdown"><p dir="auto">${escaped}</p></div>`);
    const shown = show('<div onclick="x">\n\n<iframe src="//x">\n\n<!-- x -->');
    expect(shown.match(/<[^/ >]+/g)).toEqual(['<div', '<p', '<p', '<p']);
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
    for (const source of [`[here](<${address}>)`, `<${address}>`, `![x](<${address}>)`])
      expect(show(source)).not.toMatch(/<a |href/);
  });

  it('shows the real host of a link', () => {
    const shown = show('[bank.example](https://bank.example@evil.example/x) <mailto:a@b.example>');
    expect(shown).toMatch(/<bdi>bank\.example<\/bdi><bdi [^>]*> \(evil\.example\)<\/bdi>/);
    expect(shown).toContain('href="mailto:a@b.example"');
    expect(show('[x](https://еxample.com)')).toContain('(xn--xample-2of.com)');
    expect(show('https://example.com/a?b')).toContain('href="https://example.com/a?b"');
  });

  it('parses at most the length limit and shows the rest as source text', () => {
    const paragraph = 'A **word** in a paragraph.\n\n';
    const parsed = createMarkdownParser()(paragraph.repeat(2500)).pieces;
    expect(parsed).toHaveLength(2500);
    expect(parsed.at(2200)?.nodes).toMatchObject([{ type: 'paragraph' }]);
    expect(parsed.at(-1)).toEqual({
      at: 2499 * paragraph.length,
      source: paragraph,
      nodes: undefined,
    });
  });

  it('shows blocks that are nested too deep as source text', () => {
    const depthOf = (shown: string): number => {
      let depth = 0;
      let deepest = 0;
      for (const [, close] of shown.matchAll(/<(\/?)(?!br|hr|input)[a-z]/g)) {
        depth += close === '/' ? -1 : 1;
        deepest = Math.max(deepest, depth);
      }
      return deepest;
    };
    for (const source of [
      '> '.repeat(24) + 'a',
      '*a **b '.repeat(400) + '** *'.repeat(400),
      Array.from({ length: 40 }, (_, at) => `${'  '.repeat(at)}- a`).join('\n'),
    ]) {
      expect(depthOf(show(source))).toBeLessThan(60);
    }
  });

  it('shows words of any script among random marks', () => {
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
      const shown = show(source);
      for (const word of ['שלום', 'مرحبا', '你好。', '👩‍👩‍👧']) {
        if (source.includes(word)) expect(shown).toContain(word);
      }
    }
  });
});
