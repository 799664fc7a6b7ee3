import { useTranslation } from 'react-i18next';
import { Button } from '../../design/button.tsx';
import { useActions, useUiState } from '../../store/use-app-context.ts';

/** What becomes of the words of the talk that has ended: asked once, and where they are read again. */
export function KeepQuestion() {
  const { t } = useTranslation();
  const { history } = useActions();
  const talk = useUiState(({ keeping }) => keeping.talk);
  if (talk.kind === 'incognito') return <p className="card-soft">{t('history.incognito.live')}</p>;
  if (talk.kind === 'kept') {
    return (
      <div className="card-keep">
        <p className="card-soft">{t('history.keep.kept')}</p>
        <Button
          onClick={() => {
            history.show(talk.id);
          }}
        >
          {t('history.keep.read')}
        </Button>
      </div>
    );
  }
  if (talk.kind === 'unkept') return <p className="card-soft">{t('history.keep.unkept')}</p>;
  if (talk.kind !== 'asked') return null;
  return (
    <section className="card-keep" aria-label={t('history.keep.question')}>
      <p className="card-question">{t('history.keep.question')}</p>
      <p className="card-hint">{t('history.keep.hint')}</p>
      <div className="card-buttons">
        <Button onClick={() => void history.keepTalk(true)}>{t('history.keep.yes')}</Button>
        <Button onClick={() => void history.keepTalk(false)}>{t('history.keep.no')}</Button>
      </div>
    </section>
  );
}
