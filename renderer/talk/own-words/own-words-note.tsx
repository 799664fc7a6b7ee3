import { useTranslation } from 'react-i18next';
import { Button } from '../../design/button.tsx';
import { errorText } from '../../parts/error-text.ts';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { Note } from '../note.tsx';

/** How the writing down of the person's words goes on, where there is something to know of it. */
export function OwnWordsNote() {
  const { t } = useTranslation();
  const { writeOwnWordsAgain } = useActions();
  const { status, phrases } = useUiState(({ ownWords }) => ownWords);
  const waits = phrases.some(({ state }) => state === 'waiting' || state === 'writing');
  const unknown = phrases.some(({ state, text }) => state === 'written' && text === '');
  if (status.kind === 'failed')
    return (
      <Note kind="warn">
        {status.error === undefined
          ? t('talk.own.notes.failed')
          : t('talk.own.notes.failedFor', { reason: errorText(t, status.error) })}{' '}
        <Button onClick={() => void writeOwnWordsAgain()}>{t('talk.own.notes.again')}</Button>
      </Note>
    );
  if (status.kind === 'afterTalk') return <Note kind="plain">{t('talk.own.notes.afterTalk')}</Note>;
  if (status.kind === 'busy' && waits) return <Note kind="plain">{t('talk.own.notes.busy')}</Note>;
  if (status.kind === 'queued')
    return (
      <Note kind="plain">
        {status.position === undefined
          ? t('talk.own.notes.queued')
          : t('talk.own.notes.queuedAt', { position: status.position })}
      </Note>
    );
  if (status.demonstration && unknown)
    return <Note kind="plain">{t('talk.own.notes.demonstration')}</Note>;
  return null;
}
