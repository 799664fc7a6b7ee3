import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { SheetHeader } from '../design/sheets/sheet-header.tsx';
import { Sheet } from '../design/sheets/sheet.tsx';
import { useActions, useUiState } from '../store/use-app-context.ts';
import { CompareChoice } from './compare-choice.tsx';
import { CompareResult } from './compare-result.tsx';
import { RerunProgressBar } from './rerun-progress-bar.tsx';
import './compare.css';

/** With what a talk is compared; then how far that is, and how they differ. */
export function CompareSheet() {
  const { t } = useTranslation();
  const { comparing } = useActions();
  const shown = useUiState(({ comparing }) => comparing);
  if (shown === undefined) return null;
  const { step } = shown;
  return (
    <Sheet
      name={t('compare.name', { title: shown.title })}
      open
      wide={step.kind === 'compared'}
      setOpen={(open) => {
        if (!open) comparing.close();
      }}
    >
      <div className="sheet-page">
        <SheetHeader title={t('compare.title')} close={comparing.close} />
        {/* What is long is scrolled by the keys of whoever has no mouse. */}
        <div
          className="sheet-body compare"
          role="region"
          aria-label={t('compare.title')}
          tabIndex={step.kind === 'compared' ? 0 : undefined}
        >
          <p className="compare-what" dir="auto">
            {shown.title}
          </p>
          {step.kind === 'choosing' && <CompareChoice shown={shown} error={step.error} />}
          {step.kind === 'running' && <RerunProgressBar step={step} />}
          {step.kind === 'comparing' && <p role="status">{t('compare.comparing')}</p>}
          {step.kind === 'compared' && <CompareResult compared={step.compared} />}
        </div>
        {step.kind === 'compared' && (
          <footer className="sheet-foot">
            <Button onClick={() => void comparing.again()}>{t('compare.again')}</Button>
            <Button kind="strong" onClick={comparing.close}>
              {t('compare.done')}
            </Button>
          </footer>
        )}
      </div>
    </Sheet>
  );
}
