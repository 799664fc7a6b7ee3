import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { OpenedTalkRecord } from '../../../shared/history/opened-talk-record.ts';
import { useActions } from '../../store/use-app-context.ts';
import { clockTime } from '../../talk/use-countdown.ts';
import { isTextless, recordLines } from './record-lines.ts';
import type { RecordLine } from './record-lines.ts';
import { RecordEvent } from './record-event.tsx';
import { RecordTurn } from './record-turn.tsx';
import { TalkPicture } from './talk-picture.tsx';

interface Props {
  readonly talk: OpenedTalkRecord;
  /** The turn in which something was found. */
  readonly wanted: number | undefined;
}

/** All that was said and seen, of which only what is in sight is in the page. */
export function TalkLines({ talk, wanted }: Props) {
  const { t } = useTranslation();
  const { record } = talk;
  const lines = useMemo(() => recordLines(record), [record]);
  const scroller = useRef<HTMLDivElement>(null);
  const roll = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (lines[index]?.kind === 'picture' ? 200 : 72),
    overscan: 6,
    paddingEnd: 32,
  });
  const place =
    wanted === undefined
      ? -1
      : lines.findIndex((line) => line.kind === 'turn' && line.index === wanted);
  useEffect(() => {
    if (place >= 0) roll.scrollToIndex(place, { align: 'center' });
  }, [roll, place]);
  if (lines.length === 0)
    return (
      <p className="kept-empty">
        {t(isTextless(talk) ? 'history.talk.tapeOnly' : 'history.talk.silent')}
      </p>
    );
  return (
    <div
      ref={scroller}
      className="kept-lines"
      role="region"
      aria-label={t('history.talk.lines')}
      tabIndex={0}
    >
      <div className="kept-roll" role="list" style={{ height: roll.getTotalSize() }}>
        {roll.getVirtualItems().map(({ index, key, start }) => {
          const line = lines[index];
          if (line === undefined) return null;
          return (
            <div
              key={key}
              ref={roll.measureElement}
              role="listitem"
              aria-setsize={lines.length}
              aria-posinset={index + 1}
              data-index={index}
              data-kind={line.kind}
              data-found={index === place}
              className="kept-place kept-line"
              style={{ top: start }}
            >
              <time>{clockTime(line.at / 1000)}</time>
              <Line talk={talk} line={line} found={index === place} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface LineProps {
  readonly talk: OpenedTalkRecord;
  readonly line: RecordLine;
  readonly found: boolean;
}

function Line({ talk, line, found }: LineProps) {
  const { history } = useActions();
  switch (line.kind) {
    case 'turn':
      return (
        <RecordTurn
          turn={line.turn}
          over={!talk.goesOn}
          found={found}
          correct={(at, words) => void history.correctWords(talk.id, at, words)}
        />
      );
    case 'picture':
      return <TalkPicture id={talk.id} picture={line.picture} />;
    case 'event':
      return <RecordEvent event={line.event} />;
  }
}
