import { Eraser, Pause, Play } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../design/icon-button.tsx';
import { noWireFilter } from './wire-log.ts';
import type { WireFilter, WireLog } from './wire-log.ts';

const directions = ['all', 'out', 'in'] as const;

/** What of the wire is shown, and whether it stands still. */
export function WireTools({ log }: { readonly log: WireLog }) {
  const { t } = useTranslation();
  const [filter, setFilter] = useState<WireFilter>(noWireFilter);
  const [paused, setPaused] = useState(false);
  const change = (part: Partial<WireFilter>): void => {
    setFilter({ ...filter, ...part });
    log.setFilter(part);
  };
  return (
    <div className="wire-tools">
      <input
        type="search"
        aria-label={t('inspector.find')}
        placeholder={t('inspector.find')}
        value={filter.text}
        onChange={({ target }) => {
          change({ text: target.value });
        }}
      />
      <div className="wire-directions" role="group" aria-label={t('inspector.direction')}>
        {directions.map((direction) => (
          <button
            key={direction}
            type="button"
            aria-pressed={filter.direction === direction}
            onClick={() => {
              change({ direction });
            }}
          >
            {t(`inspector.directions.${direction}`)}
          </button>
        ))}
      </div>
      <IconButton
        icon={paused ? Play : Pause}
        label={t(paused ? 'inspector.goOn' : 'inspector.pause')}
        data-held={paused}
        onClick={() => {
          setPaused(!paused);
          log.setPaused(!paused);
        }}
      />
      <IconButton
        icon={Eraser}
        label={t('inspector.clear')}
        onClick={() => {
          log.clear();
        }}
      />
      <Counts log={log} />
    </div>
  );
}

function Counts({ log }: { readonly log: WireLog }) {
  const { t, i18n } = useTranslation();
  const shown = useSyncExternalStore(log.subscribe, () => log.shown.length);
  const passed = useSyncExternalStore(log.subscribe, () => log.passed);
  const missed = useSyncExternalStore(log.subscribe, () => log.missed);
  const written = (count: number): string => new Intl.NumberFormat(i18n.language).format(count);
  return (
    <p className="wire-counts">
      {t('inspector.counts', { shown: written(shown), passed: written(passed) })}
      {missed > 0 && ` ${t('inspector.missed', { missed: written(missed) })}`}
    </p>
  );
}
