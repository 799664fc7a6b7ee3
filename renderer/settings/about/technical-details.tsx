import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { partNames } from '../../../shared/about.ts';
import { Button } from '../../design/button.tsx';
import { Fact } from '../../parts/fact.tsx';
import { NativePartRow } from '../../parts/native-part-row.tsx';
import { useActions, useUiState } from '../../store/use-app-context.ts';

/** What runs here and whether its native parts load: out of sight until one asks, or one of them does not. */
export function TechnicalDetails() {
  const { t } = useTranslation();
  const { checkParts } = useActions();
  const about = useUiState(({ about }) => about);
  const parts = useUiState(({ parts }) => parts);
  const fails = partNames.some((part) => parts[part].state === 'fails');
  const connected = useUiState(({ connection }) => connection === 'connected');
  const unasked = connected && partNames.some((part) => parts[part].state === 'unasked');
  useEffect(() => {
    // Not before somebody comes here: it starts a process for pictures, which stays for a minute.
    if (unasked) void checkParts();
  }, [unasked, checkParts]);
  return (
    <details className="technical" open={fails || undefined}>
      <summary>{t('about.technical')}</summary>
      <section aria-labelledby="runtime">
        <h2 id="runtime">{t('about.runtimeHeading')}</h2>
        <dl>
          <Fact
            name={t('about.host')}
            value={about === undefined ? '' : t(`about.hosts.${about.host}`)}
          />
          {about?.runtime.map(({ name, version }) => (
            <Fact key={name} name={name} value={version} />
          ))}
        </dl>
      </section>
      <section aria-labelledby="parts">
        <h2 id="parts">{t('about.partsHeading')}</h2>
        <ul>
          {partNames.map((part) => (
            <NativePartRow key={part} title={t(`about.parts.${part}`)} view={parts[part]} />
          ))}
        </ul>
        <Button onClick={() => void checkParts()}>{t('about.checkAgain')}</Button>
      </section>
    </details>
  );
}
