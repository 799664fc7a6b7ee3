import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReportFile } from '../../shared/app/program.ts';
import { useActions, useUiState } from '../app/app-context.ts';
import { Button } from '../design/controls.tsx';
import { Sheet, SheetHeader } from '../design/layers.tsx';
import { FolderButton, ExportedFile } from '../export/exported-file.tsx';
import { errorText, formatBytes, formatDateTime } from '../i18n/format.ts';
import type { ReportUiState } from './report-store.ts';
import './report.css';

/** Shows the content of a problem report before it is saved. */
export function ReportSheet() {
  const { t } = useTranslation();
  const { reporting } = useActions();
  const shown = useUiState(({ reporting }) => reporting);
  const source = shown?.source;
  // The system menu opens the sheet without preparing a report, so the sheet prepares it.
  useEffect(() => {
    if (source !== undefined) void reporting.make(source);
  }, [source, reporting]);
  if (shown === undefined) return null;
  return (
    <Sheet name={t('report.title')} open onClose={reporting.close}>
      <div className="sheet-page">
        <SheetHeader title={t('report.title')} onClose={reporting.close} />
        <div className="sheet-body report">
          <ReportBody source={shown.source} step={shown.step} />
        </div>
        <footer className="sheet-foot">
          <ReportFooter step={shown.step} />
        </footer>
      </div>
    </Sheet>
  );
}

function ReportBody({ source, step }: ReportUiState) {
  const { t, i18n } = useTranslation();
  if (step.kind === 'making') return <p role="status">{t('report.making')}</p>;
  if (step.kind === 'failed')
    return (
      <p role="alert" dir="auto">
        {errorText(t, step.error)}
      </p>
    );
  if (step.kind === 'saved' || step.kind === 'downloaded')
    return (
      <>
        <ExportedFile step={step} />
        <p>{t('report.unsent')}</p>
      </>
    );
  const { files, recordedAt } = step.report;
  const when = Date.parse(recordedAt ?? '');
  return (
    <>
      <p>{t('report.why')}</p>
      {!Number.isNaN(when) && (
        <p>{t('report.talk', { when: formatDateTime(when, i18n.language) })}</p>
      )}
      {recordedAt !== undefined && <p>{t('report.inside')}</p>}
      {recordedAt === undefined && <NoTapeNote source={source} />}
      <ReportFiles files={files} />
    </>
  );
}

/** The report has no tape. If recent sound is in memory, it can be added. */
function NoTapeNote({ source }: Pick<ReportUiState, 'source'>) {
  const { t } = useTranslation();
  const { reporting } = useActions();
  const hasRecent = useUiState(({ storage }) => storage.recent?.kind === 'inMemory');
  const isTalk = source.kind === 'talk' || source.kind === 'shown';
  return (
    <>
      <p>{t(isTalk ? 'report.unrecorded' : 'report.untaped')}</p>
      {source.kind === 'shown' && hasRecent && (
        <>
          <p>{t('report.recent')}</p>
          <Button onClick={() => void reporting.addRecent()}>
            {t('settings.rows.keys.keepRecent.name')}
          </Button>
        </>
      )}
    </>
  );
}

function ReportFooter({ step }: Pick<ReportUiState, 'step'>) {
  const { t } = useTranslation();
  const { reporting } = useActions();
  if (step.kind === 'saved' || step.kind === 'downloaded')
    return (
      <>
        <FolderButton step={step} onShow={reporting.showFolder} />
        <Button kind="strong" onClick={reporting.close}>
          {t('buttons.done')}
        </Button>
      </>
    );
  return (
    <>
      {step.kind === 'ready' && step.error !== undefined && (
        <p className="sheet-problem" role="alert" dir="auto">
          {errorText(t, step.error)}
        </p>
      )}
      <Button onClick={reporting.close}>{t('buttons.cancel')}</Button>
      <Button
        kind="strong"
        disabled={step.kind !== 'ready' || step.saving}
        onClick={() => void reporting.save()}
      >
        {t('buttons.saveAs')}
      </Button>
    </>
  );
}

/** Files with size and preview. */
function ReportFiles({ files }: { readonly files: readonly ReportFile[] }) {
  const { t } = useTranslation();
  return (
    <section aria-label={t('report.files')}>
      <h3 className="sheet-heading hint">{t('report.files')}</h3>
      {files.map(({ name, bytes, preview }) => (
        <details key={name} className="report-file">
          <summary>{t('report.file', { name, size: formatBytes(bytes) })}</summary>
          <pre
            className="file-text"
            // Focusable for keyboard scrolling.
            tabIndex={0}
            role="region"
            aria-label={t('report.look', { name })}
            dir="ltr"
          >
            {preview}
          </pre>
        </details>
      ))}
    </section>
  );
}
