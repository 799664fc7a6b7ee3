import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { errorText } from '../parts/error-text.ts';
import { useActions, useUiState } from '../store/use-app-context.ts';
import { ExamplesMenu } from './examples-menu.tsx';

/** Why it cannot be played, and what can be done. */
export function ReplayFailed() {
  const { t } = useTranslation();
  const { replay } = useActions();
  const error = useUiState(({ replay }) => (replay.kind === 'failed' ? replay.error : undefined));
  return (
    <div className="stage">
      <div className="card" role="alert">
        <h1>{t('replay.failed.title')}</h1>
        {error !== undefined && <p dir="auto">{errorText(t, error)}</p>}
        <p className="card-soft">{t('replay.failed.text')}</p>
        <div className="card-buttons">
          <Button kind="strong" onClick={() => void replay.close()}>
            {t('replay.failed.back')}
          </Button>
          <ExamplesMenu />
        </div>
      </div>
    </div>
  );
}
