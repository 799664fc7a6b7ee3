import { useTranslation } from 'react-i18next';
import type { OpenedTalkRecord } from '../../../shared/history/opened-talk-record.ts';
import { Button } from '../../design/button.tsx';
import { errorText } from '../../parts/error-text.ts';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { endpointName } from '../../talk/session-bar.tsx';

interface Props {
  readonly talk: OpenedTalkRecord;
}

/** Where half of a talk is missing and its tape is kept: to have written down what the person said, and how far that is. */
export function TapeWordsLine({ talk: { id, record, tape, goesOn, words } }: Props) {
  const { t } = useTranslation();
  const { history } = useActions();
  const spoken = record.turns.some(({ by }) => by === 'person');
  // What the talk itself has to be written down comes without being asked for.
  const comes = useUiState(
    ({ keeping: { talk }, ownWords }) =>
      talk.kind === 'kept' && talk.id === id && ownWords.phrases.length > 0,
  );
  if (words?.goesOn === true)
    return <p role="status">{t('history.words.goesOn', { count: words.written })}</p>;
  const { error } = words ?? {};
  const offers = tape && !goesOn && !comes && (!spoken || error !== undefined);
  if (!offers) return null;
  return (
    <div className="kept-words">
      {error !== undefined && (
        <p role="status" dir="auto">
          {t('history.words.failed', { reason: errorText(t, error) })}
        </p>
      )}
      {error === undefined && words !== undefined ? (
        <p role="status">{t('history.words.none')}</p>
      ) : (
        <>
          <Button onClick={() => void history.writeWords(id)}>{t('history.words.write')}</Button>
          <p className="kept-hint" dir="auto">
            {t('history.words.hint', { server: endpointName(t, record.server.name) })}
          </p>
        </>
      )}
    </div>
  );
}
