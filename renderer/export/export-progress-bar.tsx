import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
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
        <div
          className="export-bar"
          role="progressbar"
          aria-label={t('export.working')}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={part === undefined ? undefined : Math.round(part * 100)}
        >
          <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden>
            <rect width={(part ?? 0) * 100} height={4} />
          </svg>
        </div>
      </div>
      <footer className="sheet-foot">
        <Button disabled={stopping} onClick={() => void exporting.stop()}>
          {t('export.stop')}
        </Button>
      </footer>
    </>
  );
}
