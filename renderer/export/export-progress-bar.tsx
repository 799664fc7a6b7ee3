import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { ProgressBar } from '../design/progress-bar.tsx';
import type { ExportUiState } from '../store/export/export-ui-state.ts';
import { useActions } from '../store/use-app-context.ts';

interface Props {
  readonly title: string;
  readonly step: Extract<ExportUiState['step'], { readonly kind: 'working' }>;
}

/** How far it is, and the way to give it up. */
export function ExportProgressBar({ title, step: { part, stopping } }: Props) {
  const { t } = useTranslation();
  const { exporting } = useActions();
  return (
    <>
      <div className="sheet-body export">
        <p className="export-what" dir="auto">
          {title}
        </p>
        <p role="status">{t(stopping ? 'export.stopping' : 'export.working')}</p>
        <ProgressBar label={t('export.working')} part={part} />
      </div>
      <footer className="sheet-foot">
        <Button disabled={stopping} onClick={() => void exporting.stop()}>
          {t('export.stop')}
        </Button>
      </footer>
    </>
  );
}
