import { ChartSpline, Eraser, Pause, Play, X } from 'lucide-react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { memoryParts } from '../../shared/talk/talk-stats.ts';
import { useActions, useAppContext, useUiState } from '../app/use-app-context.ts';
import { useNarrowerThan } from '../app/use-appearance.ts';
import { IconButton } from '../design/button.tsx';
import { GraphFeed, graphKinds, type MemoryUse } from './graph-feed.ts';
import { Graph } from './graph.tsx';
import { WireFrameDetail, WireFrameList } from './wire-frame-list.tsx';
import { type LoggedWireFrame, noWireFilter, type WireFilter, WireLog } from './wire-log.ts';
import './inspector.css';

/** In rem: below this the graphs wait until they are asked for, so that the list has the room. */
const graphsWidth = 48;

/** What passes on the wire and how fast, beside whatever else is looked at. */
export function Inspector() {
  const { t } = useTranslation();
  const { setInspector } = useActions();
  const { log, graphs } = useWire();
  const [chosen, choose] = useState<LoggedWireFrame>();
  const narrow = useNarrowerThan(graphsWidth);
  const [asked, ask] = useState<boolean>();
  const graphsOpen = asked ?? !narrow;
  const place = useRef<HTMLElement>(null);
  useKeyboardHere(place);
  return (
    <aside
      ref={place}
      className="inspector"
      aria-label={t('settings.rows.keys.inspector.name')}
      tabIndex={-1}
    >
      <header className="inspector-head">
        <h2>{t('settings.rows.keys.inspector.name')}</h2>
        <IconButton
          icon={ChartSpline}
          label={t(graphsOpen ? 'inspector.hideGraphs' : 'inspector.showGraphs')}
          aria-expanded={graphsOpen}
          onClick={() => ask(!graphsOpen)}
        />
        <IconButton icon={X} label={t('inspector.close')} onClick={() => setInspector(false)} />
      </header>
      {graphsOpen && (
        <div className="graphs">
          {graphKinds.map((kind) => (
            <Graph key={kind} kind={kind} feed={graphs} />
          ))}
          <MemoryBar feed={graphs} />
          <Unanswered feed={graphs} />
        </div>
      )}
      <WireTools log={log} />
      <WireFrameList log={log} chosen={chosen} choose={choose} />
      {chosen !== undefined && (
        <WireFrameDetail key={chosen.number} frame={chosen} close={() => choose(undefined)} />
      )}
    </aside>
  );
}

/** It takes the keyboard when it opens, and gives it back to whoever had it. */
function useKeyboardHere(place: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const before = document.activeElement;
    const here = place.current;
    here?.focus();
    return () => {
      const lost =
        document.activeElement === document.body || here?.contains(document.activeElement);
      if (lost === true && before instanceof HTMLElement) before.focus();
    };
  }, [place]);
}

/** Watches for as long as it is there, and anew where the connection to the core comes back. */
function useWire(): { readonly log: WireLog; readonly graphs: GraphFeed } {
  const { request, listen, now, shows } = useAppContext();
  const connected = useUiState(({ connection }) => connection === 'connected');
  // What is played again counts from the beginning of its tape.
  const [log] = useState(() => new WireLog(shows === 'replay' ? 0 : undefined));
  const [graphs, setGraphs] = useState(() => new GraphFeed());
  useEffect(
    () =>
      listen((notice) => {
        if (notice.name === 'wire') log.add(notice.payload);
        else if (notice.name === 'replayScene' && shows === 'replay') {
          // After a jump another time begins: what passed before it belongs to none of it.
          log.clear();
          setGraphs(new GraphFeed());
        } else graphs.apply(notice, now());
      }),
    [listen, now, log, graphs, shows],
  );
  useEffect(() => {
    if (!connected) return undefined;
    void request('watchWire', { on: true });
    return () => void request('watchWire', { on: false });
  }, [request, connected]);
  return { log, graphs };
}

const directions = ['all', 'out', 'in'] as const;

function WireTools({ log }: { readonly log: WireLog }) {
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
        onChange={({ target }) => change({ text: target.value })}
      />
      <div
        className="wire-directions word-choices"
        role="group"
        aria-label={t('inspector.direction')}
      >
        {directions.map((direction) => (
          <button
            key={direction}
            type="button"
            aria-pressed={filter.direction === direction}
            onClick={() => change({ direction })}
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
      <IconButton icon={Eraser} label={t('inspector.clear')} onClick={() => log.clear()} />
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

/** On what the model's memory was spent, as one bar, and in words. */
function MemoryBar({ feed }: { readonly feed: GraphFeed }) {
  const { t, i18n } = useTranslation();
  const memory = useSyncExternalStore(feed.subscribe, () => feed.memory);
  const written = (tokens: number): string =>
    new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 0 }).format(tokens);
  const shown = (part: (typeof memoryParts)[number]): string => {
    if (memory === undefined) return '';
    const tokens = written(memory.spent[part]);
    return memory.estimated.includes(part) ? t('inspector.estimated', { tokens }) : tokens;
  };
  return (
    <figure className="graph memory">
      <figcaption>
        <span className="graph-name">{t('inspector.memory')}</span>
        <span className="graph-lines">
          {memoryParts.map((part) => (
            <span key={part} className="graph-line" data-part={part}>
              {t(`inspector.memoryParts.${part}`)} {shown(part)}
            </span>
          ))}
          {memory?.left !== undefined && (
            <span className="graph-line" data-part="left">
              {t('inspector.memoryParts.left')} {written(memory.left)}
            </span>
          )}
        </span>
      </figcaption>
      <div className="memory-bar" aria-hidden>
        {memory !== undefined &&
          memoryParts.map((part) => (
            <span key={part} data-part={part} style={{ width: `${shareOf(memory, part)}%` }} />
          ))}
      </div>
    </figure>
  );
}

/** How much speech the server has received since its last answer: it shows a server that only listens. */
function Unanswered({ feed }: { readonly feed: GraphFeed }) {
  const { t, i18n } = useTranslation();
  const unanswered = useSyncExternalStore(feed.subscribe, () => feed.unanswered);
  const { spokenSeconds = 0, steps = 0 } = unanswered ?? {};
  const seconds = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 0 });
  return (
    <p className="unanswered">
      <span className="graph-name">{t('inspector.unanswered')}</span>{' '}
      {t('inspector.unansweredParts', { seconds: seconds.format(spokenSeconds), steps })}
    </p>
  );
}

/** Percent; of what was spent alone where nobody knows how much there is. */
function shareOf({ spent, left = 0 }: MemoryUse, part: (typeof memoryParts)[number]): number {
  const all = spent.pictures + spent.sound + spent.words + left;
  return all === 0 ? 0 : (100 * spent[part]) / all;
}
