import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Switch } from '../design/switch.tsx';
import { useActions } from '../store/use-app-context.ts';

/** Whether both voices come from the same side. */
export function ExportVoices({ mix }: { readonly mix: boolean }) {
  const { t } = useTranslation();
  const { exporting } = useActions();
  const id = useId();
  return (
    <div className="export-voices">
      <span>
        <label htmlFor={id}>{t('export.mix')}</label>
        <span id={`${id}-hint`} className="export-form-hint">
          {t('export.mixHint')}
        </span>
      </span>
      <Switch id={id} aria-describedby={`${id}-hint`} on={mix} setOn={exporting.setMix} />
    </div>
  );
}
