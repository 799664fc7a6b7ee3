import type { TFunction } from 'i18next';
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type {
  TapeMark,
  TapeTimeline,
  TapeTurn,
  OpenReplay,
} from '../../shared/recordings/replay-view.ts';
import { useAppContext } from '../app/app-context.ts';
import { pastErrorText, formatClock } from '../i18n/format.ts';
import { drawTimeline, type TimelineDrawing } from './paint-timeline.ts';
import { selectOpenReplay } from './replay-actions.ts';
import { useOpenReplay } from './replayed-talk.tsx';
import { type PictureCache, TapePicture } from './tape-picture.tsx';
import './timeline.css';

/** How close to a mark, in pixels, counts as pointing at it. */
const markTolerancePx = 7;

export function ReplayTimeline({ pictures }: { readonly pictures: PictureCache }) {
  const { t } = useTranslation();
  const app = useAppContext();
  const timeline = useOpenReplay(({ timeline }) => timeline);
  const slider = useRef<HTMLDivElement>(null);
  const cursor = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawing = useRef<TimelineDrawing>(undefined);
  /** The dragged cursor's time; undefined when not dragging. */
  const dragged = useRef<number>(undefined);
  const [pointed, setPointed] = useState<{ readonly at: number; readonly withinMs: number }>();

  useEffect(() => {
    if (canvas.current === null) return undefined;
    const started = drawTimeline(canvas.current);
    drawing.current = started;
    return started.stop;
  }, []);
  useEffect(() => {
    if (timeline !== undefined) drawing.current?.show(timeline);
  }, [timeline]);

  useEffect(() => {
    let before: OpenReplay | undefined;
    const moveCursor = (): void => {
      const open = selectOpenReplay(app.store.getState());
      if (slider.current === null || cursor.current === null || open === undefined) return;
      if (open.play === before?.play && open.timeline === before.timeline) return;
      before = open;
      const elements = { slider: slider.current, cursor: cursor.current };
      placeCursor(elements, open, dragged.current ?? open.play.at, t);
    };
    moveCursor();
    return app.store.subscribe(moveCursor);
  }, [app, t]);

  const timeAt = ({ clientX, currentTarget }: PointerEvent): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (clientX - left) / width));
    return share * (timeline?.lengthMs ?? 0);
  };
  const dragTo = (event: PointerEvent): void => {
    const open = selectOpenReplay(app.store.getState());
    if (open === undefined || slider.current === null || cursor.current === null) return;
    dragged.current = timeAt(event);
    placeCursor({ slider: slider.current, cursor: cursor.current }, open, dragged.current, t);
    void app.actions.replay.seek(dragged.current);
  };
  return (
    <div
      ref={slider}
      className="timeline"
      role="slider"
      tabIndex={0}
      aria-label={t('replay.timeline')}
      aria-valuenow={0}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        dragTo(event);
      }}
      onPointerMove={(event) => {
        const { width } = event.currentTarget.getBoundingClientRect();
        const withinMs = (markTolerancePx / Math.max(1, width)) * (timeline?.lengthMs ?? 0);
        setPointed({ at: timeAt(event), withinMs });
        if (dragged.current !== undefined) dragTo(event);
      }}
      onPointerLeave={() => setPointed(undefined)}
      onLostPointerCapture={() => {
        dragged.current = undefined;
      }}
    >
      <canvas ref={canvas} aria-hidden />
      <div ref={cursor} className="timeline-cursor" />
      {pointed !== undefined && timeline !== undefined && (
        <TimelineTip timeline={timeline} pictures={pictures} {...pointed} />
      )}
    </div>
  );
}

interface Props {
  readonly timeline: TapeTimeline;
  readonly pictures: PictureCache;
  readonly at: number;
  readonly withinMs: number;
}

function TimelineTip({ timeline, pictures, at, withinMs }: Props) {
  const { t } = useTranslation();
  const text = momentText(t, timeline, at, withinMs);
  const picture = findMarkNear(timeline.marks, at, withinMs)?.picture;
  return (
    <div
      className="timeline-tip"
      style={{ left: `clamp(4rem, ${(at / timeline.lengthMs) * 100}%, 100% - 4rem)` }}
      aria-hidden
    >
      {picture !== undefined && <TapePicture pictures={pictures} picture={picture} alt="" />}
      <span className="timeline-tip-time">{formatClock(at / 1000)}</span>
      {text !== undefined && <span>{text}</span>}
    </div>
  );
}

function cursorText(t: TFunction, at: number, lengthMs: number): string {
  return t('replay.position', {
    time: formatClock(at / 1000),
    length: formatClock(lengthMs / 1000),
  });
}

/** Moves the cursor without rendering, because it moves ten times a second. */
function placeCursor(
  { slider, cursor }: { readonly slider: HTMLElement; readonly cursor: HTMLElement },
  { play, timeline: { lengthMs } }: Pick<OpenReplay, 'play' | 'timeline'>,
  at: number,
  t: TFunction,
): void {
  cursor.dataset['glides'] = `${play.playing && at === play.at}`;
  cursor.style.left = `${lengthMs === 0 ? 0 : Math.min(100, (at / lengthMs) * 100)}%`;
  // A screen reader on the slider would announce every tick.
  if (play.playing && document.activeElement === slider) return;
  slider.ariaValueMin = '0';
  slider.ariaValueMax = `${Math.round(lengthMs / 1000)}`;
  slider.ariaValueNow = `${Math.round(at / 1000)}`;
  slider.ariaValueText = cursorText(t, at, lengthMs);
}

export function findMarkNear(
  marks: readonly TapeMark[],
  at: number,
  withinMs: number,
): TapeMark | undefined {
  let nearest: TapeMark | undefined;
  for (const mark of marks) {
    const distance = Math.abs(mark.at - at);
    if (distance > withinMs) continue;
    if (nearest === undefined || distance < Math.abs(nearest.at - at)) nearest = mark;
  }
  return nearest;
}

function findTurnAt(turns: readonly TapeTurn[], at: number): TapeTurn | undefined {
  return turns.find(({ from, to }) => from <= at && at <= to);
}

export function momentText(
  t: TFunction,
  { marks, turns }: TapeTimeline,
  at: number,
  withinMs: number,
): string | undefined {
  const mark = findMarkNear(marks, at, withinMs);
  if (mark !== undefined) {
    const { kind, error } = mark;
    const name = t(`replay.marks.${kind}`);
    return error === undefined
      ? name
      : t('replay.marks.because', { name, why: pastErrorText(t, error) });
  }
  const turn = findTurnAt(turns, at);
  if (turn === undefined) return undefined;
  return t(turn.cut ? 'replay.marks.cutTurn' : 'replay.marks.turn');
}

/** Announces only where a drag or a held key ends. */
const announceDelayMs = 300;
/** A step may end this far from its mark. */
const stepToleranceMs = 120;

export function SeekLiveRegion() {
  const { t } = useTranslation();
  const { store, listen } = useAppContext();
  const [announcement, setAnnouncement] = useState('');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const announce = (): void => {
      const open = selectOpenReplay(store.getState());
      if (open === undefined) return;
      const { play, timeline } = open;
      const moment = momentText(t, timeline, play.at, stepToleranceMs);
      const time = cursorText(t, play.at, timeline.lengthMs);
      setAnnouncement(moment === undefined ? time : t('replay.cameTo', { place: moment, time }));
    };
    const unsubscribe = listen(({ name }) => {
      if (name !== 'replayScene') return;
      clearTimeout(timer);
      timer = setTimeout(announce, announceDelayMs);
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [store, listen, t]);
  return (
    <p className="visually-hidden" aria-live="polite">
      {announcement}
    </p>
  );
}
