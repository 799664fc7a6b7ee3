import { useTranslation } from 'react-i18next';
import { Button } from '../../design/button.tsx';
import { errorText } from '../../parts/error-text.ts';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { TalkLines } from './talk-lines.tsx';
import { TalkPageFacts } from './talk-page-facts.tsx';
import { BackButton, TalkPageHead } from './talk-page-head.tsx';

interface Props {
  /** There is no room for the list beside it. */
  readonly narrow: boolean;
  readonly remove: (recordings: 'too' | 'stay') => void;
}

/** One talk: when and with whom, how it ended, and all that was heard and seen. */
export function TalkPage({ narrow, remove }: Props) {
  const { t } = useTranslation();
  const { history } = useActions();
  const opened = useUiState(({ history }) => history.opened);
  if (opened === undefined) return null;
  const { id, talk, error, turn } = opened;
  if (talk === undefined) {
    return (
      <section className="kept-talk" aria-label={t('history.talk.name')}>
        <div className="kept-talk-head">{narrow && <BackButton />}</div>
        <div className="kept-empty" role="status">
          <p dir="auto">{error === undefined ? t('history.talk.opening') : errorText(t, error)}</p>
          {error !== undefined && (
            <Button onClick={() => void history.openTalk(id, turn)}>
              {t('history.talk.again')}
            </Button>
          )}
        </div>
      </section>
    );
  }
  return (
    <section className="kept-talk" aria-label={t('history.talk.name')}>
      <TalkPageHead talk={talk} narrow={narrow} remove={remove} />
      <TalkPageFacts talk={talk} />
      <TalkLines talk={talk} wanted={turn} />
    </section>
  );
}
