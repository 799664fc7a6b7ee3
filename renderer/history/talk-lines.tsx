import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type {
  OpenedTalkRecord,
  TalkRecordEvent,
  TalkRecordPicture,
  TalkRecordTurn,
} from '../../shared/recordings/talk-record.ts';
import { useActions } from '../app/app-context.ts';
import { PictureThumb, useBlobUrl } from '../design/picture-thumb.tsx';
import { pastErrorText, formatClock } from '../i18n/format.ts';
import {
  CaptionText,
  SpokenBy,
  toCaptionParts,
  UserTranscriptText,
} from '../talk/captions/caption-text.tsx';
import { heardParts, isTextless, type RecordLine, recordLines } from './history-text.ts';

interface Props {
  readonly talk: OpenedTalkRecord;
  readonly targetTurn: number | undefined;
}

/** The words, pictures and events of a stored talk, virtualized. */
export function TalkLines({ talk, targetTurn }: Props) {
  const { t } = useTranslation();
  const { record } = talk;
  const lines = useMemo(() => recordLines(record), [record]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (lines[index]?.kind === 'picture' ? 200 : 72),
    overscan: 6,
    paddingEnd: 32,
  });
  const targetIndex =
    targetTurn === undefined
      ? -1
      : lines.findIndex((line) => line.kind === 'turn' && line.index === targetTurn);
  useEffect(() => {
    if (targetIndex >= 0) virtualizer.scrollToIndex(targetIndex, { align: 'center' });
  }, [virtualizer, targetIndex]);
  if (lines.length === 0)
    return (
      <p className="history-empty">
        {t(isTextless(talk) ? 'history.talk.tapeOnly' : 'history.talk.silent')}
      </p>
    );
  return (
    <div
      ref={scroller}
      className="history-lines scroll-area"
      role="region"
      aria-label={t('history.talk.lines')}
      tabIndex={0}
    >
      <div className="history-content" role="list" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const line = lines[index];
          if (line === undefined) return null;
          return (
            <div
              key={key}
              ref={virtualizer.measureElement}
              role="listitem"
              aria-setsize={lines.length}
              aria-posinset={index + 1}
              data-index={index}
              data-kind={line.kind}
              data-found={index === targetIndex}
              className="history-slot history-line"
              style={{ top: start }}
            >
              <time className="hint">{formatClock(line.at / 1000)}</time>
              <Line talk={talk} line={line} isTarget={index === targetIndex} />
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
  readonly isTarget: boolean;
}

function Line({ talk, line, isTarget }: LineProps) {
  const { history } = useActions();
  switch (line.kind) {
    case 'turn':
      return (
        <RecordTurn
          turn={line.turn}
          isOver={!talk.isRunning}
          found={isTarget}
          onCorrect={(at, words) => history.correctWords(talk.id, at, words)}
        />
      );
    case 'picture':
      return <TalkPicture id={talk.id} picture={line.picture} />;
    case 'event':
      return <RecordEvent event={line.event} />;
  }
}

interface RecordTurnProps {
  readonly turn: TalkRecordTurn;
  readonly isOver: boolean;
  readonly found: boolean;
  readonly onCorrect: (at: number, words: string) => Promise<boolean>;
}

function RecordTurn({ turn, isOver, found, onCorrect }: RecordTurnProps) {
  const { t } = useTranslation();
  return (
    <div className="history-turn" data-by={turn.by}>
      <SpokenBy
        name={t(turn.by === 'person' ? 'talk.own.name' : 'history.talk.parley')}
        transcribed={turn.transcribed}
      >
        {found && <span className="visually-hidden">{t('history.talk.found')}</span>}
      </SpokenBy>
      {turn.by === 'person' ? (
        <UserTranscriptText
          words={turn.text}
          placeholder=""
          onCorrect={(words) => onCorrect(turn.at, words)}
        />
      ) : (
        <p dir="auto">
          <CaptionText {...toCaptionParts(heardParts(turn, isOver))} />
        </p>
      )}
    </div>
  );
}

function RecordEvent({ event }: { readonly event: TalkRecordEvent }) {
  const { t } = useTranslation();
  return (
    <p className="history-event hint" dir="auto">
      {eventText()}
    </p>
  );

  function eventText(): string {
    switch (event.kind) {
      // The head of the page shows the beginning and the end.
      case 'began':
      case 'ended':
        return '';
      case 'reconnecting':
      case 'trouble':
        return t(`history.talk.events.${event.kind}`, { reason: pastErrorText(t, event.error) });
      case 'deviceLost':
      case 'deviceBack':
        return t(`history.talk.events.${event.kind}.${event.role}`);
      case 'reconnected':
      case 'continued':
      case 'interrupted':
        return t(`history.talk.events.${event.kind}`);
    }
  }
}

interface TalkPictureProps {
  readonly id: string;
  readonly picture: TalkRecordPicture;
}

function TalkPicture({ id, picture: { file, at, width, height } }: TalkPictureProps) {
  const { t } = useTranslation();
  const { history } = useActions();
  const read = useCallback(async (): Promise<Blob | undefined> => {
    const jpeg = await history.picture(id, file);
    return jpeg && new Blob([new Uint8Array(jpeg)], { type: 'image/jpeg' });
  }, [history, id, file]);
  const found = useBlobUrl(read);
  return (
    <PictureThumb
      blob={found}
      name={t('history.talk.picture', { time: formatClock(at / 1000) })}
      size={{ width, height }}
    />
  );
}
