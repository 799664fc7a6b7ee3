import { Undo2, X } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { useActions, useUiState } from '../store/use-app-context.ts';
import './undo-bar.css';

/** What was deleted a moment ago, and the way back. */
export function UndoBar() {
  const { t } = useTranslation();
  const { removal } = useActions();
  const removed = useUiState(({ removed }) => removed);
  useEffect(() => {
    const leave = (): void => void removal.finish();
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
    };
  }, [removal]);
  return (
    <div className="undo" role="status">
      {removed !== undefined && (
        <div className="undo-bar">
          <p dir="auto">{removed.told}</p>
          <Button kind="quiet" icon={<Undo2 aria-hidden />} onClick={removal.undo}>
            {t('shell.undo.undo')}
          </Button>
          <IconButton icon={X} label={t('shell.dismiss')} onClick={() => void removal.finish()} />
        </div>
      )}
    </div>
  );
}
