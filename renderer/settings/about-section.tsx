import { useTranslation } from 'react-i18next';
import { partNames } from '../../shared/about.ts';
import { Button } from '../design/button.tsx';
import { Fact } from '../parts/fact.tsx';
import { PartRow } from '../parts/part-row.tsx';
import { useActions, useView } from '../store/use-desk.ts';
import './about.css';
import { Diagnostics } from './diagnostics-view.tsx';
import { licences } from './licences.ts';

/** What runs here, whether its native parts load, what it is built from. */
export function AboutSection() {
  const { t } = useTranslation();
  const { checkParts } = useActions();
  const about = useView(({ about }) => about);
  const parts = useView(({ parts }) => parts);
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
            <PartRow key={part} title={t(`about.parts.${part}`)} view={parts[part]} />
          ))}
        </ul>
        <Button onClick={() => void checkParts()}>{t('about.checkAgain')}</Button>
      </section>
      <Diagnostics />
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
