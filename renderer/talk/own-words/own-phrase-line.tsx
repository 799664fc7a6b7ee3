import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { OwnWordsText } from '../../parts/own-words-text.tsx';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import './own-words.css';

/** What the person said, between what Parley said; who wrote it down, or why nobody has. */
export const OwnPhraseLine = memo(({ at }: { readonly at: number }) => {
  const { t } = useTranslation();
  const { correctOwnWords } = useActions();
  const phrase = useUiState(({ ownWords }) => ownWords.phrases.find((each) => each.at === at));
  if (phrase === undefined) return null;
  const { state, text, transcribed } = phrase;
  return (
    <div className="own-phrase" data-state={state} data-at={at}>
      <p className="own-by">
        <span>{t('talk.own.name')}</span>
        {state === 'written' && text !== '' && (
          <span className="own-machine">{t(`history.talk.${transcribed}`)}</span>
        )}
      </p>
      <OwnWordsText
        words={text}
        instead={t(state === 'removed' ? 'talk.own.written' : `talk.own.${state}`)}
        correct={(words) => void correctOwnWords(at, words)}
      />
    </div>
  );
});
OwnPhraseLine.displayName = 'OwnPhraseLine';
