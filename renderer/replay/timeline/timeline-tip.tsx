import { useTranslation } from 'react-i18next';
import type { FilmTimeline } from '../../../shared/replay/film-timeline.ts';
import { clockTime } from '../../talk/use-countdown.ts';
import type { PictureCache } from '../picture-cache.ts';
import { TapePicture } from '../tape-picture.tsx';
import { markNear, placeText } from './timeline-places.ts';

interface Props {
  readonly timeline: FilmTimeline;
  readonly pictures: PictureCache;
  readonly at: number;
  /** So much of the tape is under a finger. */
  readonly withinMs: number;
}

/** Over the timeline, where it is pointed at: the time, what is there, the picture that went then. */
export function TimelineTip({ timeline, pictures, at, withinMs }: Props) {
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
