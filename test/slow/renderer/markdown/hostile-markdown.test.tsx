import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Markdown } from '../../../../renderer/markdown/markdown.tsx';
import { createMarkdownParser } from '../../../../renderer/markdown/parse-markdown.ts';
import { seeded } from '../../../fakes/seeded.ts';
import { cpuTime } from '../../../fakes/cpu-time.ts';

const actions = {
  openLink: () => undefined,
  copyCode: () => undefined,
  labels: { copy: '', copied: '', picture: '' },
};

/** The page's HTML for the text. */
const show = (text: string): string =>
  renderToStaticMarkup(<Markdown text={text} actions={actions} />);

describe('hostile Markdown', () => {
  it('is parsed up to the length limit, and shown as source text after it', () => {
    const paragraph = 'A **word** in a paragraph.\n\n';
    const parsed = createMarkdownParser()(paragraph.repeat(2500)).pieces;
    expect(parsed.at(2200)?.nodes).toMatchObject([{ type: 'paragraph' }]);
    const { at = 0, source = '', nodes } = parsed.at(-1) ?? {};
    expect(at % paragraph.length).toBe(0);
    expect([source, nodes]).toEqual([paragraph.repeat(2500).slice(at), undefined]);
  });

  it('is shown as source text where blocks are nested too deep', () => {
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

  it('loses no word of any script among random marks', () => {
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

/** The allowed multiple of an ordinary answer's CPU time. Without the parser's limits some texts take hundreds of times as much. */
function maxEffort(name: string): number {
  if (name === 'many paragraphs') return 30;
  return name.startsWith('nested') ? 2 : 10;
}

const ordinaryAnswer = 'A paragraph with *words* and a [link](http://x.y).\n\n'.repeat(200);

/** CPU time of an ordinary answer, once measured. */
let ordinaryTime: number | undefined;

/** The CPU time as a multiple of an ordinary answer's. A run above the limit is measured again, because other tests share the processor. */
async function measureEffort(work: () => unknown, limit: number): Promise<number> {
  ordinaryTime ??= await cpuTime(() => createMarkdownParser()(ordinaryAnswer));
  const once = (await cpuTime(work, 1)) / ordinaryTime;
  return once < limit ? once : (await cpuTime(work)) / ordinaryTime;
}

describe('hostile Markdown', () => {
  it.each([
    ['nested quotes', '>'.repeat(10_000) + 'a'],
    ['nested quotes with spaces', '> '.repeat(10_000) + 'a'],
    ['nested lists', '- '.repeat(5000) + 'a'],
    ['indented lists', Array.from({ length: 300 }, (_, at) => `${'  '.repeat(at)}- a`).join('\n')],
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
  ])('parses %s within the allowed multiple of an ordinary answer’s time', async (name, source) => {
    let shown = Infinity;
    const effort = await measureEffort(() => {
      const parsed = createMarkdownParser()(source);
      shown = parsed.pieces.reduce((sum, piece) => sum + piece.source.length, 0);
    }, maxEffort(name));
    expect(effort).toBeLessThan(maxEffort(name));
    expect(shown).toBeLessThanOrEqual(source.length);
  });

  it.each([
    ['a list', '- item of a list\n'],
    ['short items', '- a\n'],
    ['items of numbers', '1. a\n'],
    ['headings with lines', 'a\n=\n'],
    ['lines that end with a carriage return', 'a\r'],
    ['quotes', '> quote\n'],
    ['lists in lists', Array.from({ length: 24 }, (_, at) => `${'  '.repeat(at)}- a\n`).join('')],
    ['a table', '|c|d|\n'],
    ['one line', 'word '],
    ['one word', 'x'],
    ['brackets', '[a](b '],
    ['empty lines', '\n'],
  ])('parses only the new text of a growing answer of %s', async (name, unit) => {
    const text = unit.repeat(60_000 / unit.length);
    const end = Math.floor(text.length / 20);
    const effort = await measureEffort(() => {
      const parse = createMarkdownParser();
      // The parser runs again after every piece of a growing answer.
      for (let at = 1; at <= 20; at += 1) parse(text.slice(0, at * end));
      for (let at = 1; at <= 20; at += 1) parse(text + unit.repeat(at));
    }, 35);
    process.stdout.write(`${name}: ${effort.toFixed(1)} times an ordinary answer\n`);
    expect(effort).toBeLessThan(35);
  });
});
