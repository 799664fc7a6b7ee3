import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/button.tsx';
import { useAppContext } from '../../store/use-app-context.ts';
import { copyText } from '../../parts/copy-text.ts';
import { diagnosticsText } from './diagnostics-text.ts';
import { useSettingText } from '../controls/setting-text.ts';

/** The text is shown with the button, so that nobody hands over what they have not seen. */
export function DiagnosticsPanel() {
  const { t } = useTranslation();
  const { store } = useAppContext();
  const { name, hint } = useSettingText('about.diagnostics');
  const [copied, setCopied] = useState<{ readonly text: string; readonly ok: boolean }>();
  const copy = (): void => {
    const text = diagnosticsText(store.getState());
    setCopied({ text, ok: copyText(text) });
  };
  return (
    <section aria-labelledby="diagnostics">
      <h2 id="diagnostics">{name}</h2>
      <p className="row-hint">{hint}</p>
      <Button onClick={copy}>{t('settings.about.copy')}</Button>
      {copied !== undefined && (
        <>
          <p role="alert" className="row-hint">
            {t(copied.ok ? 'settings.about.copied' : 'settings.about.copyFailed')}
          </p>
          <pre className="diagnostics" tabIndex={0} aria-label={t('settings.about.shown')}>
            {copied.text}
          </pre>
        </>
      )}
    </section>
  );
}
