import { useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { SearchField } from '../design/search-field.tsx';
import { SheetHeader } from '../design/sheets/sheet-header.tsx';
import { Sheet } from '../design/sheets/sheet.tsx';
import { useMarkdownActions } from '../chat/turns/use-markdown-actions.ts';
import '../chat/turns/markdown.css';
import { useActions, useUiState } from '../store/use-app-context.ts';
import { findInGuide } from './find-in-guide.ts';
import { GuideSectionView } from './guide-section-view.tsx';
import './guide.css';
import { useGuide } from './use-guide.ts';
import { useMarkedWords } from './use-marked-words.ts';

const none: ReadonlyMap<string, string> = new Map();

/** How Parley is used, to be read through or looked up in; it needs no network. */
export function GuideSheet() {
  const { t } = useTranslation();
  const { openGuide, closeGuide } = useActions();
  const typed = useUiState(({ guide }) => guide?.search ?? '');
  const guide = useGuide();
  const id = useId();
  const text = useRef<HTMLDivElement>(null);
  const actions = useMarkdownActions();
  const found = findInGuide(guide?.sections ?? [], typed);
  useMarkedWords(text, typed, found);
  const goTo = (title: string): void => {
    const heading = document.getElementById(`${id}${title}`);
    heading?.scrollIntoView({ block: 'start' });
    heading?.focus({ preventScroll: true });
  };
  return (
    <Sheet wide name={t('guide.title')} open setOpen={closeGuide}>
      <div className="sheet-page guide">
        <SheetHeader title={t('guide.title')} close={closeGuide} />
        <div className="guide-inside">
          <nav className="guide-side" aria-label={t('guide.sections')}>
            <SearchField
              label={t('guide.search')}
              clearLabel={t('guide.clear')}
              query={typed}
              search={openGuide}
            />
            <ul>
              {found.map(({ title }) => (
                <li key={title}>
                  <button
                    type="button"
                    onClick={() => {
                      goTo(title);
                    }}
                  >
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
