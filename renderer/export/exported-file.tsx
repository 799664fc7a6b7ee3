import { useTranslation } from 'react-i18next';
import { Button } from '../design/controls.tsx';
import type { ExportedStep } from './export-store.ts';
import './export.css';

interface Props {
  readonly step: ExportedStep;
}

export function ExportedFile({ step }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <p role="status" className="export-result" dir="auto">
        {step.kind === 'saved'
          ? t('export.saved', { path: step.path })
          : t('export.downloaded', { name: step.name })}
      </p>
      {step.kind === 'saved' && step.folderPath !== undefined && (
        <p dir="auto">{t('export.folderAt', { path: step.folderPath })}</p>
      )}
    </>
  );
}

/** Shown only for saved files, because browsers show their own downloads. */
export function FolderButton({ step, onShow }: Props & { readonly onShow: () => Promise<void> }) {
  const { t } = useTranslation();
  if (step.kind !== 'saved') return null;
  return <Button onClick={() => void onShow()}>{t('buttons.folder')}</Button>;
}
