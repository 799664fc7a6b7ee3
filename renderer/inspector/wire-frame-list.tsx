import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { appearanceOf } from '../store/page-style.ts';
import { useUiState } from '../store/use-app-context.ts';
import { WireFrameRow } from './wire-frame-row.tsx';
import type { LoggedWireFrame, WireLog } from './wire-log.ts';

/** As high as what is pointed at has to be, and two lines of text are. */
const defaultHeight = 44;

const steps: Readonly<Record<string, number>> = {
  ArrowUp: -1,
  ArrowDown: 1,
  PageUp: -10,
  PageDown: 10,
  Home: -Infinity,
  End: Infinity,
};

interface Props {
  readonly log: WireLog;
  readonly chosen: LoggedWireFrame | undefined;
  readonly choose: (frame: LoggedWireFrame) => void;
}

/** Events in order, of which only what is in sight is in the page; it stays with the newest. */
export function WireFrameList({ log, chosen, choose }: Props) {
  const { t } = useTranslation();
  const frames = useSyncExternalStore(log.subscribe, () => log.shown);
  const scroller = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const { textSize } = useUiState(appearanceOf);
  const rowHeight = Math.max(defaultHeight, (defaultHeight * textSize) / 100);
  const rows = useVirtualizer({
    count: frames.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  useEffect(() => {
    rows.measure();
  }, [rows, rowHeight]);
  useEffect(() => {
    const element = scroller.current;
    if (element !== null && atEnd.current) element.scrollTop = element.scrollHeight;
  }, [frames, rowHeight]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    if (step === undefined || frames.length === 0) return;
    event.preventDefault();
    const at = frames.findIndex(({ number }) => number === chosen?.number);
    const before = at === -1 ? frames.length : at;
    const index = Math.min(frames.length - 1, Math.max(0, before + step));
    const frame = frames[index];
    if (frame === undefined) return;
    choose(frame);
    rows.scrollToIndex(index);
  };
  return (
    <div
      ref={scroller}
      className="frames"
      // A list without a choice in it is none.
      role={frames.length > 0 ? 'listbox' : 'region'}
      tabIndex={0}
      aria-label={t('inspector.events')}
      aria-activedescendant={chosen === undefined ? undefined : `frame-${chosen.number}`}
      onKeyDown={onKeyDown}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        atEnd.current = scrollHeight - scrollTop - clientHeight < rowHeight;
      }}
    >
      <div className="frames-roll" role="presentation" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const frame = frames[index];
          if (frame === undefined) return null;
          return (
            <WireFrameRow
              key={frame.number}
              frame={frame}
              first={log.beganAt}
              start={start}
              height={rowHeight}
              chosen={frame.number === chosen?.number}
              choose={choose}
            />
          );
        })}
      </div>
      {frames.length === 0 && <p className="frames-none">{t('inspector.none')}</p>}
    </div>
  );
}
