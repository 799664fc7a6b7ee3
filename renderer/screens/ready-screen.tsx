import { useSyncExternalStore } from 'react';
import { partNames } from '../../shared/about.ts';
import { Fact } from '../parts/fact.tsx';
import { PartRow } from '../parts/part-row.tsx';
import type { Store } from '../store.ts';
import type { Words } from '../words/words.ts';
import './ready-screen.css';

interface Props {
  readonly store: Store;
  readonly words: Words;
}

/** What runs here, and whether its native parts load. */
export function ReadyScreen({ store, words }: Props) {
  const { about, connection, parts, problem } = useSyncExternalStore(store.subscribe, store.view);
  const trouble = connection === 'lost' ? words.connectionLost : problem;
  return (
    <main className="ready">
      <header>
        <h1>
          {about?.name ?? 'Parley'} <span className="version">{about?.version}</span>
        </h1>
        <p className="tagline">{words.tagline}</p>
      </header>
      <p className="trouble" role="alert">
        {trouble}
      </p>
      <section aria-labelledby="runtime">
        <h2 id="runtime">{words.runtimeHeading}</h2>
        <dl>
          <Fact name={words.host} value={about === undefined ? '' : words.hosts[about.host]} />
          {about?.runtime.map(({ name, version }) => (
            <Fact key={name} name={name} value={version} />
          ))}
        </dl>
      </section>
      <section aria-labelledby="parts">
        <h2 id="parts">{words.partsHeading}</h2>
        <ul>
          {partNames.map((part) => (
            <PartRow key={part} title={words.parts[part]} view={parts[part]} words={words} />
          ))}
        </ul>
        <button type="button" onClick={() => void store.checkParts()}>
          {words.checkAgain}
        </button>
      </section>
    </main>
  );
}
