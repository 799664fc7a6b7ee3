import { type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { foldText, searchWords } from '../../shared/text.ts';
import { useActions, useUiState } from '../app/app-context.ts';
import { SearchField } from '../design/controls.tsx';
import { Sheet, SheetHeader } from '../design/layers.tsx';
import { useLanguage } from '../i18n/page-language.ts';
import type { MarkdownActions } from '../markdown/inline-views.tsx';
import { Markdown, useMarkdownActions } from '../markdown/markdown.tsx';
import './guide.css';

const none: ReadonlyMap<string, string> = new Map();

/** The user guide, with search; works offline. */
export function GuideSheet() {
  const { t } = useTranslation();
  const { openGuide, closeGuide } = useActions();
  const typed = useUiState(({ guide }) => guide?.search ?? '');
  const guide = useGuide();
  const id = useId();
  const text = useRef<HTMLDivElement>(null);
  const markdown = useMarkdownActions();
  const found = findInGuide(guide?.sections ?? [], typed);
  useHighlights(text, typed, found);
  const actions = useMemo(() => {
    const goToHeading = (anchor: string): void => {
      const find = () =>
        [...(text.current?.querySelectorAll<HTMLElement>('h3, h4') ?? [])].find(
          ({ textContent }) => anchorOf(textContent) === anchor,
        );
      // A search may have hidden the section.
      if (find() === undefined) openGuide('');
      requestAnimationFrame(() => {
        const heading = find();
        if (heading === undefined) return;
        heading.scrollIntoView({ block: 'start' });
        heading.tabIndex = -1;
        heading.focus({ preventScroll: true });
      });
    };
    return { ...markdown, goToHeading };
  }, [markdown, openGuide]);
  return (
    <Sheet wide name={t('guide.title')} open onClose={closeGuide}>
      <div className="sheet-page guide">
        <SheetHeader title={t('guide.title')} onClose={closeGuide} />
        <div className="guide-columns">
          <nav className="guide-side" aria-label={t('guide.sections')}>
            <SearchField
              label={t('guide.search')}
              clearLabel={t('guide.clear')}
              query={typed}
              onSearch={openGuide}
            />
            <ul>
              {found.map(({ title }) => (
                <li key={title}>
                  <button type="button" onClick={() => actions.goToHeading(anchorOf(title))}>
                    {title}
                  </button>
                </li>
              ))}
            </ul>
          </nav>
          <div
            ref={text}
            className="sheet-body guide-text"
            role="region"
            aria-label={t('guide.title')}
            aria-busy={guide === undefined}
            tabIndex={0}
          >
            {guide !== undefined && found.length === 0 && <p role="status">{t('guide.nothing')}</p>}
            {found.map((section) => (
              <GuideSectionView
                key={section.title}
                section={section}
                addresses={guide?.addresses ?? none}
                actions={actions}
                pictures={typed === ''}
                id={`${id}${section.title}`}
              />
            ))}
          </div>
        </div>
      </div>
    </Sheet>
  );
}

interface Props {
  readonly section: GuideSection;
  readonly addresses: ReadonlyMap<string, string | undefined>;
  readonly actions: MarkdownActions;
  /** Hidden in search results. */
  readonly pictures: boolean;
  readonly id: string;
}

function GuideSectionView({ section, addresses, actions, pictures, id }: Props) {
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{section.title}</h3>
      {section.parts.map((part) =>
        part.kind === 'text' ? (
          <Markdown key={part.text} text={part.text} actions={actions} />
        ) : (
          pictures && (
            <img
              key={part.file}
              className="guide-picture"
              src={addresses.get(part.file)}
              alt={part.alt}
              loading="lazy"
            />
          )
        ),
      )}
    </section>
  );
}

const highlightName = 'guide-found';

/** Highlights the search words without changing the DOM. */
function useHighlights(
  container: RefObject<HTMLElement | null>,
  typed: string,
  sections: readonly GuideSection[],
): void {
  const count = sections.length;
  useEffect(() => {
    // Not every browser supports highlights.
    if (!('highlights' in CSS)) return undefined;
    const words = searchWords(typed);
    if (container.current === null || words.length === 0 || count === 0) return undefined;
    CSS.highlights.set(highlightName, new Highlight(...findRanges(container.current, words)));
    return () => {
      CSS.highlights.delete(highlightName);
    };
  }, [container, typed, count]);
}

function findRanges(container: HTMLElement, words: readonly string[]): readonly Range[] {
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = foldText(node.textContent ?? '');
    // If folding changes the length, the offsets would be wrong.
    if (text.length !== node.textContent?.length) continue;
    for (const word of words)
      for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        ranges.push(range);
      }
  }
  return ranges;
}

export interface LoadedGuide {
  readonly sections: readonly GuideSection[];
  readonly addresses: ReadonlyMap<string, string | undefined>;
}

/** Undefined while it loads. */
function useGuide(): LoadedGuide | undefined {
  const language = useLanguage();
  const [guide, setGuide] = useState<LoadedGuide>();
  useEffect(() => {
    let current = true;
    void loadGuide(language).then((loaded) => {
      if (current) setGuide(loaded);
      return undefined;
    });
    return () => {
      current = false;
    };
  }, [language]);
  return guide;
}

async function loadGuide(language: string): Promise<LoadedGuide> {
  const sections = readGuide(await loadGuideText(language));
  const files = sections.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.kind === 'picture' ? [part.file] : [])),
  );
  const addresses = await Promise.all(
    files.map(async (file) => [file, await loadGuidePicture(file)] as const),
  );
  return { sections, addresses: new Map(addresses) };
}

const texts = import.meta.glob<string>('../../docs/guide/*.md', {
  query: '?raw',
  import: 'default',
});
const pictures = import.meta.glob<string>('../../docs/guide/pictures/*/*.webp', {
  query: '?url',
  import: 'default',
});

/** Falls back to English. */
async function loadGuideText(language: string): Promise<string> {
  const load = texts[`../../docs/guide/${language}.md`] ?? texts['../../docs/guide/en.md'];
  return (await load?.()) ?? '';
}

/** The URL of a picture; `file` is relative to the guide. */
async function loadGuidePicture(file: string): Promise<string | undefined> {
  return pictures[`../../docs/guide/${file}`]?.();
}

export type GuidePart =
  | { readonly kind: 'text'; readonly text: string }
  /** `file` is relative to the guide. */
  | { readonly kind: 'picture'; readonly alt: string; readonly file: string };

interface GuideSection {
  readonly title: string;
  readonly parts: readonly GuidePart[];
  readonly source: string;
}

/** As GitHub makes it from a heading, so that the guide's links work there, too. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/gu, '-');

const picture = /^!\[(?<alt>[^\]]*)\]\((?<file>[^)]+)\)$/u;

/** Splits the Markdown into sections. The first has the guide's title and introduction. */
export function readGuide(source: string): readonly GuideSection[] {
  return source
    .replace(/^# /u, '## ')
    .split(/^## /mu)
    .slice(1)
    .map((section) => {
      const end = section.indexOf('\n');
      const title = end === -1 ? section : section.slice(0, end);
      return {
        title: title.trim(),
        parts: parseParts(section.slice(title.length)),
        source: section,
      };
    });
}

function parseParts(body: string): readonly GuidePart[] {
  const parts: GuidePart[] = [];
  let text = '';
  const close = (): void => {
    if (text.trim() !== '') parts.push({ kind: 'text', text: text.trim() });
    text = '';
  };
  for (const line of body.split('\n')) {
    const { alt, file } = picture.exec(line.trim())?.groups ?? {};
    if (alt === undefined || file === undefined) {
      // The page renders a Markdown heading of level 2 as h4, one level below a section's title (h3).
      text += `${line.replace(/^### /u, '## ')}\n`;
      continue;
    }
    close();
    parts.push({ kind: 'picture', alt, file });
  }
  close();
  return parts;
}

/** Sections that contain every search word; those with a word in their title come first. */
export function findInGuide(
  sections: readonly GuideSection[],
  typed: string,
): readonly GuideSection[] {
  const words = searchWords(typed);
  const found = sections.filter(({ source }) => {
    const text = foldText(source);
    return words.every((word) => text.includes(word));
  });
  if (words.length === 0) return found;
  const hasWordInTitle = ({ title }: GuideSection): boolean => {
    const folded = foldText(title);
    return words.some((word) => folded.includes(word));
  };
  return [...found.filter(hasWordInTitle), ...found.filter((section) => !hasWordInTitle(section))];
}
