import { useTranslation } from 'react-i18next';
import { Button } from '../../design/button.tsx';
import { Fact } from '../../parts/fact.tsx';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import './about.css';
import { DiagnosticsPanel } from './diagnostics-panel.tsx';
import { LogPanel } from './log-panel.tsx';
import { licences } from './licences.ts';
import { UpdatePanel } from './update-panel.tsx';
import { TechnicalDetails } from './technical-details.tsx';

/** What this is, how to get help with it, what it is built from. */
export function AboutSection() {
  const { t } = useTranslation();
  const { openGuide } = useActions();
  const about = useUiState(({ about }) => about);
  return (
    <>
      <header className="about-head">
        <h1>
          {about?.name ?? 'Parley'} <span className="version">{about?.version}</span>
        </h1>
        <p className="settings-quiet">{t('tagline')}</p>
        <Button
          onClick={() => {
            openGuide();
          }}
        >
          {t('guide.title')}
        </Button>
      </header>
      <UpdatePanel />
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
      <TechnicalDetails />
    </>
  );
}
