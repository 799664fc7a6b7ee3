import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/button.tsx';
import { diagnosticsText } from '../../settings/about/diagnostics-text.ts';
import { useAppContext } from '../../store/use-app-context.ts';
import { copyText } from '../../parts/copy-text.ts';
import './broken-place.css';

interface Props {
  readonly error: unknown;
  readonly again: () => void;
}

/** What stands where a place of the page has broken. */
export function BrokenPlace({ error, again }: Props) {
  const { t } = useTranslation();
  const { store } = useAppContext();
  const [copied, setCopied] = useState<boolean>();
  const copy = (): void => {
    setCopied(copyText(`${diagnosticsText(store.getState())}\nfault: ${stackOf(error)}`));
  };
  return (
    <section className="broken-place" role="alert">
      <p>{t('shell.broken.text')}</p>
      <div className="broken-place-ways">
        <Button kind="strong" onClick={again}>
          {t('shell.broken.again')}
        </Button>
        <Button onClick={copy}>{t('shell.broken.copy')}</Button>
      </div>
      {copied !== undefined && (
        <p className="row-hint">
          {t(copied ? 'settings.about.copied' : 'shell.broken.copyFailed')}
        </p>
      )}
    </section>
  );
}

/** Where in the program it broke; its message may quote what was to be drawn, so it stays here. */
function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const places = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return [error.name, ...places.slice(0, 12)].join('\n');
}
