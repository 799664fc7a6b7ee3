import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import type { ExportedStep } from './export-store.ts';
import './export.css';

interface Props {
  readonly step: ExportedStep;
}

export function ExportedFile({ step }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <p role="status" className="export-made" dir="auto">
        {step.kind === 'saved'
          ? t('export.saved', { path: step.path })
          : t('export.downloaded', { name: step.name })}
      </p>
      {step.kind === 'saved' && step.shown !== undefined && (
        <p dir="auto">{t('export.folderAt', { path: step.shown })}</p>
      )}
    </>
  );
}

/** Only for saved files: browsers show their own downloads. */
export function FolderButton({ step, show }: Props & { readonly show: () => Promise<void> }) {
  const { t } = useTranslation();
  if (step.kind !== 'saved') return null;
  return <Button onClick={() => void show()}>{t('buttons.folder')}</Button>;
}
