import { Check, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { MemorySuggestion } from '../../shared/memory/memory-view.ts';
import { useActions, useUiState } from '../app/use-app-context.ts';
import { Button } from '../design/button.tsx';
import { SourceLink } from './source-link.tsx';
import './memory.css';

const ways = ['offer', 'auto', 'never'] as const;

/** Sentences that the user may accept. The first time Parley asks how to handle them. */
export function SuggestionList({
  suggestions,
}: {
  readonly suggestions: readonly MemorySuggestion[];
}) {
  const { t } = useTranslation();
  const { setup } = useActions();
  const unasked = useUiState(({ settings }) => settings?.memory.suggest === 'unasked');
  return (
    <section className="memory-suggestions" aria-label={t('memory.suggestions.title')}>
      <h2>{t('memory.suggestions.title')}</h2>
      <ul>
        {suggestions.map((suggestion) => (
          <Suggestion key={suggestion.id} suggestion={suggestion} />
        ))}
      </ul>
      {unasked && (
        <div className="memory-first">
          <p>{t('memory.suggestions.first')}</p>
          <div className="button-row">
            {ways.map((way) => (
              <Button
                key={way}
                onClick={() => void setup.choose('memory.suggest', { memory: { suggest: way } })}
              >
                {t(`settings.choices.memory.suggest.${way}`)}
              </Button>
            ))}
          </div>
        </div>
      )}
    </section>
  );
}

function Suggestion({ suggestion }: { readonly suggestion: MemorySuggestion }) {
  const { t } = useTranslation();
  const { setup } = useActions();
  const { id, text, replaces } = suggestion;
  const replaced = useUiState(({ memory }) =>
    memory?.sentences.find((each) => each.id === replaces),
  );
  return (
    <li className="memory-row">
      <div className="memory-words">
        <span className="row-name" dir="auto">
          {text}
        </span>
        {replaced !== undefined && (
          <span className="row-hint" dir="auto">
            {t('memory.suggestions.replaces', { text: replaced.text })}
          </span>
        )}
        <SourceLink source={suggestion.source} />
      </div>
      <div className="button-row">
        <Button
          kind="strong"
          icon={<Check aria-hidden />}
          aria-label={t('memory.suggestions.acceptThis', { text })}
          onClick={() => void setup.answerSuggestion(id, true)}
        >
          {t('memory.suggestions.accept')}
        </Button>
        <Button
          icon={<X aria-hidden />}
          aria-label={t('memory.suggestions.rejectThis', { text })}
          onClick={() => void setup.answerSuggestion(id, false)}
        >
          {t('memory.suggestions.reject')}
        </Button>
      </div>
    </li>
  );
}
