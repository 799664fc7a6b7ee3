import { ChartSpline, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../design/icon-button.tsx';
import { useNarrowerThan } from '../shell/use-narrower-than.ts';
import { useActions } from '../store/use-app-context.ts';
import { WireFrameDetail } from './wire-frame-detail.tsx';
import { WireFrameList } from './wire-frame-list.tsx';
import { graphKinds } from './graph-feed.ts';
import { Graph } from './graph.tsx';
import { MemoryBar, Unanswered } from './memory-bar.tsx';
import './wire-frames.css';
import './inspector.css';
import { useWire } from './use-wire.ts';
import type { LoggedWireFrame } from './wire-log.ts';
import { WireTools } from './wire-tools.tsx';

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
    <aside ref={place} className="inspector" aria-label={t('inspector.name')} tabIndex={-1}>
      <header className="inspector-head">
        <h2>{t('inspector.name')}</h2>
        <IconButton
          icon={ChartSpline}
          label={t(graphsOpen ? 'inspector.hideGraphs' : 'inspector.showGraphs')}
          aria-expanded={graphsOpen}
          onClick={() => {
            ask(!graphsOpen);
          }}
        />
        <IconButton
          icon={X}
          label={t('inspector.close')}
          onClick={() => {
            setInspector(false);
          }}
        />
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
        <WireFrameDetail
          frame={chosen}
          close={() => {
            choose(undefined);
          }}
        />
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
