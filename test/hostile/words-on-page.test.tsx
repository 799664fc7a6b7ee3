import { createInstance } from 'i18next';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { expect, it } from 'vitest';
import type { MarkdownActions } from '../../renderer/markdown/inline-views.tsx';
import { Markdown } from '../../renderer/markdown/markdown.tsx';
import { toCaptionParts, CaptionText } from '../../renderer/talk/captions/caption-text.tsx';
import { englishPage } from '../../shared/i18n/en/page-messages.ts';
import { backtrackingTexts, jsonTexts, breakingTexts } from './hostile-texts.ts';

const texts = [
  ...breakingTexts,
  ...[...jsonTexts, ...backtrackingTexts].map((text) => text.slice(0, 5000)),
];
const actions: MarkdownActions = {
  openLink: () => undefined,
  copyCode: () => undefined,
  labels: { copy: 'Copy', copied: 'Copied', picture: 'Picture' },
};

const words = createInstance();
await words.init({ lng: 'en', resources: { en: { translation: englishPage } } });

const markupOf = (shown: ReactNode): string =>
  renderToStaticMarkup(<I18nextProvider i18n={words}>{shown}</I18nextProvider>);

/** The markup contains only Parley's own elements, no handler, and only web and mail links. */
function expectHarmless(markup: string, text: string): void {
  const elements = [...markup.matchAll(/<([a-z][\w-]*)([^>]*)>/gu)];
  for (const [whole, name = '', facts = ''] of elements) {
    expect(ownElements.has(name), `${whole} of ${text}`).toBe(true);
    expect(/\son\w+=|style=|srcdoc=|src=/u.test(facts.replaceAll(/"[^"]*"/gu, '""')), whole).toBe(
      false,
    );
    const [, href] = /\shref="([^"]*)"/u.exec(facts) ?? [];
    expect(href === undefined || /^(?:https?|mailto):/u.test(href), whole).toBe(true);
  }
}

const ownElements = new Set(
  'div p span s a bdi figure figcaption strong em del code pre button br hr blockquote ul ol li input h1 h2 h3 h4 h5 h6 table thead tbody tr th td sup section'.split(
    ' ',
  ),
);

it('hostile text appears in a caption as plain text', () => {
  for (const text of texts) {
    const half = Math.floor(text.length / 2);
    for (const cutFrom of [undefined, half]) {
      const turn = { turn: 1, text, heard: Math.floor(half / 2), cutFrom, settled: false };
      const markup = markupOf(<CaptionText {...toCaptionParts(turn)} />);
      expectHarmless(markup, text);
      const [said] = markup.replaceAll(/<[^>]*>/gu, '').split('&');
      if (cutFrom === undefined) expect(text.startsWith(said ?? '')).toBe(true);
    }
  }
});

it('hostile text appears in an answer as harmless Markdown', () => {
  for (const text of texts)
    expectHarmless(markupOf(<Markdown text={text} actions={actions} />), text);
});
