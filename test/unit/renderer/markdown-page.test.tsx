import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { MarkdownActions } from '../../../renderer/markdown/inline-views.tsx';
import { Markdown } from '../../../renderer/markdown/markdown.tsx';

const actions: MarkdownActions = {
  openLink: () => undefined,
  copyCode: () => undefined,
  labels: { copy: 'Copy', copied: 'Copied', picture: 'Picture' },
};

const render = (text: string, heard?: number): string =>
  renderToStaticMarkup(<Markdown text={text} actions={actions} heard={heard} />);

describe('Markdown on the page', () => {
  it('shows HTML as text', () => {
    expect(render('<script>alert(1)</script><img src=x onerror=alert(1)>')).toBe(
      '<div class="markdown"><p dir="auto">&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;</p></div>',
    );
    expect(render('```html\n<script>\n```')).toContain('&lt;script&gt;');
    expect(render('```"><script>\na')).not.toContain('<script');
  });

  it('shows where a link leads, unless its text already does', () => {
    expect(render('[here](https://example.com/a)')).toContain('(example.com)');
    expect(render('[bank.example](https://evil.example)')).toContain('(evil.example)');
    expect(render('https://example.com/a')).not.toContain('(example.com)');
    expect(render('[x](javascript:alert(1))')).not.toContain('href');
  });

  it('loads no pictures', () => {
    const shown = render('![A cat](https://example.com/cat.png) ![](x.png)');
    expect(shown).not.toContain('<img');
    expect(shown).toContain('A cat');
    expect(shown).toContain('Picture');
    expect(shown).toContain('(example.com)');
  });

  it('shows code with its language and a button, from left to right', () => {
    const shown = render('```ts\nlet a;\n```');
    expect(shown).toContain('<span>ts</span><button type="button">Copy</button>');
    expect(shown).toContain('<code>let a;</code>');
    expect(shown).toContain('dir="ltr"');
  });

  it('shows lists, tables and tasks', () => {
    const shown = render('3. a\n4. b\n\n- [x] c\n\n|d|e|\n|-|:-:|\n|f|g|');
    expect(shown).toContain('<ol start="3">');
    expect(shown).toContain('<input type="checkbox" disabled="" readOnly="" checked=""/>');
    expect(shown).toContain('<td dir="auto" data-align="center">g</td>');
  });

  it('marks only the parts of a very long list', () => {
    const list = (items: number) => Array.from({ length: items }, (_, at) => `${at + 1}. a`);
    expect(render(list(59).join('\n'))).not.toContain('data-long');
    const shown = render(list(120).join('\n'));
    expect(shown.match(/<ol start="\d+" data-long="true">/g)).toHaveLength(2);
  });

  it('marks what has not been heard yet', () => {
    expect(render('One **two** three\n\nfour', 7)).toBe(
      '<div class="markdown"><p dir="auto">One <strong>t<span data-heard="no">wo</span></strong>' +
        '<span data-heard="no"> three</span></p><p dir="auto"><span data-heard="no">four</span></p></div>',
    );
    expect(render('One', 3)).toBe('<div class="markdown"><p dir="auto">One</p></div>');
  });

  it('renders strong Chinese text without spaces around it', () => {
    const inside = (text: string, heard?: number) =>
      render(text, heard).replace(/^<div class="markdown"><p dir="auto">|<\/p><\/div>$/g, '');
    expect(inside('他说：**你好。**然后走了，**再见！**完')).toBe(
      '他说：<strong>你好。</strong>然后走了，<strong>再见！</strong>完',
    );
    expect(inside('他说：**你好。**然后', 6)).toBe(
      '他说：<strong>你<span data-heard="no">好。</span></strong><span data-heard="no">然后</span>',
    );
    expect(inside('\\*\\*好。\\*\\*然')).toBe('**好。**然');
    expect(inside('2 ** 3 ** 好')).toBe('2 ** 3 ** 好');
  });

  it('renders deep nesting without exhausting the stack', () => {
    for (const text of [
      '>'.repeat(10_000),
      '> '.repeat(24) + '*a **b '.repeat(500),
      '- '.repeat(24) + 'x',
    ]) {
      expect(render(text).length).toBeGreaterThan(20);
    }
  });
});
