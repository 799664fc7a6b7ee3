import { useTranslation } from 'react-i18next';
import type { ReportFile } from '../../shared/report/problem-report.ts';
import { formatBytes } from '../parts/format-bytes.ts';

/** Each file of it with its size, and what stands in it for who wants to see. */
export function ReportFiles({ files }: { readonly files: readonly ReportFile[] }) {
  const { t } = useTranslation();
  return (
    <section aria-label={t('report.files')}>
      <h3>{t('report.files')}</h3>
      {files.map(({ name, bytes, preview }) => (
        <details key={name} className="report-file">
          <summary>{t('report.file', { name, size: formatBytes(bytes) })}</summary>
          <pre
            // It can be scrolled by keyboard.
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
