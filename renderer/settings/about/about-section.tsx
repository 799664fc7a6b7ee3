import { useTranslation } from 'react-i18next';
import { partNames } from '../../../shared/about.ts';
import { Button } from '../../design/button.tsx';
import { Fact } from '../../parts/fact.tsx';
import { NativePartRow } from '../../parts/native-part-row.tsx';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import './about.css';
import { DiagnosticsPanel } from './diagnostics-panel.tsx';
import { LogPanel } from './log-panel.tsx';
import { licences } from './licences.ts';

/** What runs here, whether its native parts load, what it is built from. */
export function AboutSection() {
  const { t } = useTranslation();
  const { checkParts } = useActions();
  const about = useUiState(({ about }) => about);
  const parts = useUiState(({ parts }) => parts);
  return (
    <>
      <header className="about-head">
        <h1>
          {about?.name ?? 'Parley'} <span className="version">{about?.version}</span>
        </h1>
        <p className="settings-quiet">{t('tagline')}</p>
      </header>
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
      <DiagnosticsPanel />
      <LogPanel />
      <section aria-labelledby="licences">
        <h2 id="licences">{t('settings.rows.about.licences.name')}</h2>
        <dl className="licences">
          {licences.map(({ name, licence }) => (
            <Fact key={name} name={name} value={licence} />
          ))}
        </dl>
      </section>
    </>
  );
}
