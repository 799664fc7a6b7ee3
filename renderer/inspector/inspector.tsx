import { ChartSpline, Eraser, Pause, Play, X } from 'lucide-react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { contextParts } from '../../shared/talk/talk-stats.ts';
import { useActions, useAppContext, useUiState } from '../app/app-context.ts';
import { computerPace } from '../app/ui-state.ts';
import { useNarrowerThan } from '../app/use-appearance.ts';
import { focusFrom, IconButton, placeOf } from '../design/controls.tsx';
import { joinSentences, chatPlaceText, modelPaceText } from '../i18n/format.ts';
import { Graph, GraphFeed, graphKinds, type ContextUse } from './graph.tsx';
import { WireFrameDetail, WireFrameList } from './wire-frame-list.tsx';
import { type LoggedWireFrame, noWireFilter, type WireFilter, WireLog } from './wire-log.ts';
import './inspector.css';

/** In rem. Below this, graphs are closed at first, so that the list has room. */
const graphsWidth = 48;

export function Inspector() {
  const { t } = useTranslation();
  const { setInspector } = useActions();
  const { log, graphs } = useWireFeed();
  const [chosen, choose] = useState<LoggedWireFrame>();
  const isNarrow = useNarrowerThan(graphsWidth);
  const [chosenOpen, setChosenOpen] = useState<boolean>();
  const graphsOpen = chosenOpen ?? !isNarrow;
  const panel = useRef<HTMLElement>(null);
  useBorrowedFocus(panel);
  return (
    <aside
      ref={panel}
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
          onClick={() => setChosenOpen(!graphsOpen)}
        />
        <IconButton icon={X} label={t('inspector.close')} onClick={() => setInspector(false)} />
      </header>
      {graphsOpen && (
        <div className="graphs">
          {graphKinds.map((kind) => (
            <Graph key={kind} kind={kind} feed={graphs} />
          ))}
          <ContextBar feed={graphs} />
          <UnansweredSpeech feed={graphs} />
          <SentMemory />
          <ModelSteps />
        </div>
      )}
      <WireTools log={log} />
      <WireFrameList log={log} chosen={chosen} onChoose={choose} />
      {chosen !== undefined && (
        <WireFrameDetail key={chosen.number} frame={chosen} onClose={() => choose(undefined)} />
      )}
    </aside>
  );
}

/** Takes the focus when the panel opens, and returns it when it closes. */
function useBorrowedFocus(panel: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const before = document.activeElement;
    const element = panel.current;
    const place = element === null ? undefined : placeOf(element);
    element?.focus();
    return () => {
      const hadFocus =
        document.activeElement === document.body || element?.contains(document.activeElement);
      if (hadFocus !== true) return;
      if (before instanceof HTMLElement) before.focus();
      focusFrom(place);
    };
  }, [panel]);
}

/** A seek, and the opening of a recording. */
const replayJumps: ReadonlySet<string> = new Set(['replayScene', 'replayChanged']);

function useWireFeed(): { readonly log: WireLog; readonly graphs: GraphFeed } {
  const { request, listen, now, shows } = useAppContext();
  const isConnected = useUiState(({ connection }) => connection === 'connected');
  // In a replay, times count from the beginning of the tape.
  const [log] = useState(() => new WireLog(shows === 'replay' ? 0 : undefined));
  const [graphs, setGraphs] = useState(() => new GraphFeed());
  useEffect(
    () =>
      listen((notice) => {
        if (notice.name === 'wire') log.add(notice.payload);
        else if (replayJumps.has(notice.name) && shows === 'replay') {
          // The events and points so far are of another time or of another recording.
          log.clear();
          setGraphs(new GraphFeed());
        } else graphs.apply(notice, now());
      }),
    [listen, now, log, graphs, shows],
  );
  useEffect(() => {
    if (!isConnected) return undefined;
    void request('watchWire', { on: true });
    return () => void request('watchWire', { on: false });
  }, [request, isConnected]);
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
      <EventCounts log={log} />
    </div>
  );
}

function EventCounts({ log }: { readonly log: WireLog }) {
  const { t, i18n } = useTranslation();
  const shown = useSyncExternalStore(log.subscribe, () => log.shown.length);
  const passed = useSyncExternalStore(log.subscribe, () => log.total);
  const missed = useSyncExternalStore(log.subscribe, () => log.missed);
  const format = (count: number): string => new Intl.NumberFormat(i18n.language).format(count);
  return (
    <p className="wire-counts">
      {t(missed > 0 ? 'inspector.countsMissed' : 'inspector.counts', {
        shown: format(shown),
        passed: format(passed),
        missed: format(missed),
      })}
    </p>
  );
}

function ContextBar({ feed }: { readonly feed: GraphFeed }) {
  const { t, i18n } = useTranslation();
  const context = useSyncExternalStore(feed.subscribe, () => feed.contextUse);
  const format = (tokens: number): string =>
    new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 0 }).format(tokens);
  const partText = (part: (typeof contextParts)[number]): string => {
    if (context === undefined) return '';
    const tokens = format(context.spent[part]);
    return context.estimated.includes(part) ? t('inspector.estimated', { tokens }) : tokens;
  };
  return (
    <figure className="graph context">
      <figcaption>
        <span className="graph-name">{t('inspector.memory')}</span>
        <span className="graph-lines">
          {contextParts.map((part) => (
            <span key={part} className="graph-line" data-part={part}>
              {t(`inspector.contextParts.${part}`)} {partText(part)}
            </span>
          ))}
          {context?.left !== undefined && (
            <span className="graph-line" data-part="left">
              {t('inspector.contextParts.left')} {format(context.left)}
            </span>
          )}
        </span>
      </figcaption>
      <div className="context-bar" aria-hidden>
        {context !== undefined &&
          contextParts.map((part) => (
            <span key={part} data-part={part} style={{ width: `${percentOf(context, part)}%` }} />
          ))}
      </div>
    </figure>
  );
}

/** How much speech the server received since its last answer; it reveals a server that only listens. */
function UnansweredSpeech({ feed }: { readonly feed: GraphFeed }) {
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

/** How much of the memory the newest request had; the events show its words. */
function SentMemory() {
  const { t } = useTranslation();
  const { shows } = useAppContext();
  const sent = useUiState(({ memorySent }) => memorySent);
  if (sent === undefined || shows === 'replay') return null;
  return (
    <p className="unanswered">
      <span className="graph-name">{t('inspector.memorySent')}</span>{' '}
      {t('inspector.memorySentParts', { ...sent })}
    </p>
  );
}

/** How fast the model on this computer is, in a talk with it. Its context is in the context bar. */
function ModelSteps() {
  const { t } = useTranslation();
  const { shows } = useAppContext();
  const pace = useUiState(computerPace);
  const chat = useUiState(({ localModel }) => localModel?.chat);
  if (pace === undefined || shows === 'replay') return null;
  return (
    <p className="unanswered">
      <span className="graph-name">{t('model.steps.name')}</span>{' '}
      {joinSentences(t, modelPaceText(t, pace), chatPlaceText(t, chat))}
    </p>
  );
}

/** In percent of the context, or of the spent tokens if its size is unknown. */
function percentOf({ spent, left = 0 }: ContextUse, part: (typeof contextParts)[number]): number {
  const all = spent.pictures + spent.sound + spent.words + left;
  return all === 0 ? 0 : (100 * spent[part]) / all;
}
