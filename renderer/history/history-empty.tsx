import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { ExamplesMenu } from '../replay/examples-menu.tsx';
import { useActions, useUiState } from '../store/use-app-context.ts';

/** Why nothing stands here, and what is kept. */
export function HistoryEmpty() {
  const { t } = useTranslation();
  const { openSettings } = useActions();
  const listed = useUiState(({ history }) => history.listed);
  const keeps = useUiState(({ settings }) => settings?.privacy.keepTalks ?? 'ask');
  if (listed === undefined || !listed.complete) return <div className="kept-empty" aria-busy />;
  if (listed.query.trim() !== '' || listed.show !== 'all') {
    return (
      <p className="kept-empty" role="status">
        {t(listed.query.trim() === '' ? 'history.empty.kind' : 'history.empty.found')}
      </p>
    );
  }
  return (
    <div className="kept-empty">
      <h2>{t('history.empty.title')}</h2>
      <p>{t(`history.empty.${keeps}`)}</p>
      <Button
        onClick={() => {
          openSettings('privacy');
        }}
      >
        {t('history.privacy')}
      </Button>
      <ExamplesMenu />
    </div>
  );
}
