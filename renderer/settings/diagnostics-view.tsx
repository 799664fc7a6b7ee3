import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { useDesk } from '../store/use-desk.ts';
import { copyText } from '../parts/copy-text.ts';
import { diagnosticsOf } from './diagnostics.ts';
import { useRowWords } from './row-words.ts';

/** The text is shown with the button, so that nobody hands over what they have not seen. */
export function Diagnostics() {
  const { t } = useTranslation();
  const { store } = useDesk();
  const { name, hint } = useRowWords('about.diagnostics');
  const [copied, setCopied] = useState<{ readonly text: string; readonly ok: boolean }>();
  const copy = (): void => {
    const text = diagnosticsOf(store.view());
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
