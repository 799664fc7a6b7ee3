import type { TFunction } from 'i18next';
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type {
  TapeMark,
  TapeTimeline,
  TapeTurn,
  OpenReplay,
} from '../../shared/recordings/replay-view.ts';
import { useAppContext } from '../app/use-app-context.ts';
import { errorText } from '../i18n/error-text.ts';
import { clockTime } from '../i18n/time-text.ts';
import { drawTimeline, type TimelineDrawing } from './paint-timeline.ts';
import { openReplayOf } from './replay-store.ts';
import { useOpenReplay } from './replayed-talk.tsx';
import { type PictureCache, TapePicture } from './tape-picture.tsx';
import './timeline.css';

/** In pixels: so near to a mark is meant to be on it. */
const finger = 7;

/** Both voices over the whole tape with what happened; its cursor is moved by hand, and by the keys of the replay. */
export function ReplayTimeline({ pictures }: { readonly pictures: PictureCache }) {
  const { t } = useTranslation();
  const app = useAppContext();
  const timeline = useOpenReplay(({ timeline }) => timeline);
  const slider = useRef<HTMLDivElement>(null);
  const cursor = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawing = useRef<TimelineDrawing>(undefined);
  /** Where a hand holds the cursor. */
  const held = useRef<number>(undefined);
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
    const place = (): void => {
      const open = openReplayOf(app.store.getState());
      if (slider.current === null || cursor.current === null || open === undefined) return;
      if (open.play === before?.play && open.timeline === before.timeline) return;
      before = open;
      const elements = { slider: slider.current, cursor: cursor.current };
      placeCursor(elements, open, held.current ?? open.play.at, t);
    };
    place();
    return app.store.subscribe(place);
  }, [app, t]);

  const timeAt = ({ clientX, currentTarget }: PointerEvent): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (clientX - left) / width));
    return share * (timeline?.lengthMs ?? 0);
  };
  const hold = (event: PointerEvent): void => {
    const open = openReplayOf(app.store.getState());
    if (open === undefined || slider.current === null || cursor.current === null) return;
    held.current = timeAt(event);
    placeCursor({ slider: slider.current, cursor: cursor.current }, open, held.current, t);
    void app.actions.replay.seek(held.current);
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
        hold(event);
      }}
      onPointerMove={(event) => {
        const { width } = event.currentTarget.getBoundingClientRect();
        const withinMs = (finger / Math.max(1, width)) * (timeline?.lengthMs ?? 0);
        setPointed({ at: timeAt(event), withinMs });
        if (held.current !== undefined) hold(event);
      }}
      onPointerLeave={() => setPointed(undefined)}
      onLostPointerCapture={() => {
        held.current = undefined;
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
  /** So much of the tape is under a finger. */
  readonly withinMs: number;
}

/** Over the timeline, where it is pointed at: the time, what is there, the picture that went then. */
function TimelineTip({ timeline, pictures, at, withinMs }: Props) {
  const { t } = useTranslation();
  const text = placeText(t, timeline, at, withinMs);
  const picture = markNear(timeline.marks, at, withinMs)?.picture;
  return (
    <div
      className="timeline-tip"
      style={{ left: `clamp(4rem, ${(at / timeline.lengthMs) * 100}%, 100% - 4rem)` }}
      aria-hidden
    >
      {picture !== undefined && <TapePicture pictures={pictures} picture={picture} alt="" />}
      <span className="timeline-tip-time">{clockTime(at / 1000)}</span>
      {text !== undefined && <span>{text}</span>}
    </div>
  );
}

/** As those hear it who cannot see it. */
function cursorText(t: TFunction, at: number, lengthMs: number): string {
  return t('replay.position', {
    time: clockTime(at / 1000),
    length: clockTime(lengthMs / 1000),
  });
}

/** Puts the cursor to its place past React: ten times a second nothing else of the page is drawn for it. */
function placeCursor(
  { slider, cursor }: { readonly slider: HTMLElement; readonly cursor: HTMLElement },
  { play, timeline: { lengthMs } }: Pick<OpenReplay, 'play' | 'timeline'>,
  at: number,
  t: TFunction,
): void {
  cursor.dataset['glides'] = `${play.playing && at === play.at}`;
  cursor.style.left = `${lengthMs === 0 ? 0 : Math.min(100, (at / lengthMs) * 100)}%`;
  // Whoever listens to it would else hear it speak without end.
  if (play.playing && document.activeElement === slider) return;
  slider.ariaValueMin = '0';
  slider.ariaValueMax = `${Math.round(lengthMs / 1000)}`;
  slider.ariaValueNow = `${Math.round(at / 1000)}`;
  slider.ariaValueText = cursorText(t, at, lengthMs);
}

/** The mark that is nearest, of those no further away than that. */
export function markNear(
  marks: readonly TapeMark[],
  at: number,
  withinMs: number,
): TapeMark | undefined {
  let nearest: TapeMark | undefined;
  for (const mark of marks) {
    const away = Math.abs(mark.at - at);
    if (away > withinMs) continue;
    if (nearest === undefined || away < Math.abs(nearest.at - at)) nearest = mark;
  }
  return nearest;
}

function turnAt(turns: readonly TapeTurn[], at: number): TapeTurn | undefined {
  return turns.find(({ from, to }) => from <= at && at <= to);
}

/** What is there, in words; nothing where nothing is. */
export function placeText(
  t: TFunction,
  { marks, turns }: TapeTimeline,
  at: number,
  withinMs: number,
): string | undefined {
  const mark = markNear(marks, at, withinMs);
  if (mark !== undefined) {
    const { kind, error } = mark;
    const name = t(`replay.marks.${kind}`);
    return error === undefined
      ? name
      : t('replay.marks.because', { name, why: errorText(t, error) });
  }
  const turn = turnAt(turns, at);
  if (turn === undefined) return undefined;
  return t(turn.cut ? 'replay.marks.cutTurn' : 'replay.marks.turn');
}

/** Whoever drags or holds a key hears where they came to, and not every place on the way. */
const restMs = 300;
/** A step stands on what it goes to. */
const onMarkMs = 120;

/** Where the cursor has jumped to, for those who cannot see it. */
export function JumpRegion() {
  const { t } = useTranslation();
  const { store, listen } = useAppContext();
  const [said, setSaid] = useState('');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const say = (): void => {
      const open = openReplayOf(store.getState());
      if (open === undefined) return;
      const { play, timeline } = open;
      const place = placeText(t, timeline, play.at, onMarkMs);
      const time = cursorText(t, play.at, timeline.lengthMs);
      setSaid(place === undefined ? time : t('replay.cameTo', { place, time }));
    };
    const leave = listen(({ name }) => {
      if (name !== 'replayScene') return;
      clearTimeout(timer);
      timer = setTimeout(say, restMs);
    });
    return () => {
      leave();
      clearTimeout(timer);
    };
  }, [store, listen, t]);
  return (
    <p className="only-heard" aria-live="polite">
      {said}
    </p>
  );
}
