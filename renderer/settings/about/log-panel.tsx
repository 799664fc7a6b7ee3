import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppError } from '../../../shared/errors/app-error.ts';
import { Button } from '../../design/button.tsx';
import { errorText } from '../../parts/error-text.ts';
import { useActions, useAppContext } from '../../store/use-app-context.ts';
import { useSettingText } from '../controls/setting-text.ts';

type Shown = { readonly path: string } | { readonly error: AppError };

/** The way to the log: its folder is opened where the host can, and named in any case. */
export function LogPanel() {
  const { t } = useTranslation();
  const { request } = useAppContext();
  const { reporting } = useActions();
  const { name, hint } = useSettingText('about.log');
  const [shown, setShown] = useState<Shown>();
  const show = async (): Promise<void> => {
    const reply = await request('showLogs', undefined);
    setShown(reply.ok ? { path: reply.value.path } : { error: reply.error });
  };
  return (
    <section aria-labelledby="log">
      <h2 id="log">{name}</h2>
      <p className="row-hint">{hint}</p>
      <div className="log-ways">
        <Button onClick={() => void show()}>{t('settings.about.showLogs')}</Button>
        <Button
          onClick={() => {
            reporting.open({ kind: 'last' });
          }}
        >
          {t('report.action')}
        </Button>
      </div>
      {shown !== undefined && (
        <p role="alert" className="row-hint" dir="auto">
          {'path' in shown
            ? t('settings.about.logsAt', { path: shown.path })
            : errorText(t, shown.error)}
        </p>
      )}
    </section>
  );
}
