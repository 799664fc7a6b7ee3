import { useEffect, useRef, useState } from 'react';
import type { PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { OpenReplay } from '../../../shared/replay/replay-view.ts';
import { useAppContext } from '../../store/use-app-context.ts';
import { openReplayOf, useOpenReplay } from '../use-open-replay.ts';
import type { PictureCache } from '../picture-cache.ts';
import { drawTimeline } from './draw-timeline.ts';
import type { TimelineDrawing } from './draw-timeline.ts';
import { placeCursor } from './timeline-cursor.ts';
import { TimelineTip } from './timeline-tip.tsx';
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
      onPointerLeave={() => {
        setPointed(undefined);
      }}
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
