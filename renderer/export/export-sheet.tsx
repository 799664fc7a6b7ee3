import { useTranslation } from 'react-i18next';
import { hasVoices } from '../../shared/export/export-form.ts';
import { Button } from '../design/button.tsx';
import { SheetHeader } from '../design/sheets/sheet-header.tsx';
import { Sheet } from '../design/sheets/sheet.tsx';
import { errorText } from '../parts/error-text.ts';
import type { ExportUiState, MadeStep } from '../store/export/export-ui-state.ts';
import { useActions, useUiState } from '../store/use-app-context.ts';
import { ExportForms } from './export-forms.tsx';
import './export.css';
import { FolderButton, MadeFile } from './made-file.tsx';
import { ExportVoices } from './export-voices.tsx';
import { ExportProgressBar } from './export-progress-bar.tsx';

/** What file is to be made of it; then how far that is, and where it is. */
export function ExportSheet() {
  const { t } = useTranslation();
  const { exporting } = useActions();
  const shown = useUiState(({ exporting }) => exporting);
  if (shown === undefined) return null;
  const { step } = shown;
  return (
    <Sheet
      name={t('export.name', { title: shown.title })}
      open
      setOpen={(open) => {
        if (!open) exporting.close();
      }}
    >
      <div className="sheet-page">
        <SheetHeader title={t('export.title')} close={exporting.close} />
        {step.kind === 'choosing' && <Choosing shown={shown} />}
        {step.kind === 'working' && <ExportProgressBar title={shown.title} step={step} />}
        {(step.kind === 'saved' || step.kind === 'downloaded') && (
          <Made title={shown.title} step={step} />
        )}
      </div>
    </Sheet>
  );
}

function Choosing({ shown }: { readonly shown: ExportUiState }) {
  const { t } = useTranslation();
  const { exporting } = useActions();
  const { title, offer, as, step } = shown;
  const error = step.kind === 'choosing' ? step.error : undefined;
  return (
    <>
      <div className="sheet-body export">
        <p className="export-what" dir="auto">
          {title}
        </p>
        {offer === undefined && error === undefined && <p role="status">{t('export.looking')}</p>}
        {offer !== undefined && <ExportForms offer={offer} chosen={as} />}
        {offer?.forms.includes('wav') === true && hasVoices(as) && <ExportVoices mix={shown.mix} />}
      </div>
      <footer className="sheet-foot">
        {error !== undefined && (
          <p className="export-problem" role="alert" dir="auto">
            {errorText(t, error)}
          </p>
        )}
        <Button onClick={exporting.close}>{t('export.cancel')}</Button>
        <Button kind="strong" disabled={offer === undefined} onClick={() => void exporting.save()}>
          {t('export.save')}
        </Button>
      </footer>
    </>
  );
}

function Made({ title, step }: { readonly title: string; readonly step: MadeStep }) {
  const { t } = useTranslation();
  const { exporting } = useActions();
  return (
    <>
      <div className="sheet-body export">
        <p className="export-what" dir="auto">
          {title}
        </p>
        <MadeFile step={step} />
      </div>
      <footer className="sheet-foot">
        <FolderButton step={step} show={exporting.showFolder} />
        <Button kind="strong" onClick={exporting.close}>
          {t('export.done')}
        </Button>
      </footer>
    </>
  );
}
