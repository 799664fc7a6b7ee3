import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { OwnWordsText } from '../../parts/own-words-text.tsx';
import { SpokenBy } from '../../parts/spoken-by.tsx';
import { useActions, useAppContext, useUiState } from '../../store/use-app-context.ts';
import './own-words.css';

/** What the person said, between what Parley said; who wrote it down, or why nobody has. */
export const OwnPhraseLine = memo(({ at }: { readonly at: number }) => {
  const { t } = useTranslation();
  const { shows } = useAppContext();
  const { correctOwnWords } = useActions();
  const phrase = useUiState(({ ownWords }) => ownWords.phrases.find((each) => each.at === at));
  if (phrase === undefined) return null;
  const { state, text, transcribed } = phrase;
  return (
    <div className="own-phrase" data-state={state} data-at={at}>
      <SpokenBy
        name={t('talk.own.name')}
        transcribed={state === 'written' && text !== '' ? transcribed : undefined}
      />
      <OwnWordsText
        words={text}
        instead={t(state === 'removed' ? 'talk.own.written' : `talk.own.${state}`)}
        // What is put right stands in History.
        correct={shows === 'talk' ? (words) => void correctOwnWords(at, words) : undefined}
      />
    </div>
  );
});
OwnPhraseLine.displayName = 'OwnPhraseLine';
