import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatSince, formatWireFrameSize } from './format-wire-frame.ts';
import type { LoggedWireFrame } from './wire-log.ts';

interface Props {
  readonly frame: LoggedWireFrame;
  readonly first: number;
  readonly start: number;
  readonly height: number;
  readonly chosen: boolean;
  readonly choose: (frame: LoggedWireFrame) => void;
}

const marks = { out: '↑', in: '↓', opened: '●', ended: '○' } as const;
/** More is not to be seen in a line. */
const maxPreview = 200;

export const WireFrameRow = memo(({ frame, first, start, height, chosen, choose }: Props) => {
  const { t } = useTranslation();
  const { number, at, direction, name, text, length, connection } = frame;
  const said = t(`inspector.marks.${direction}`, { connection });
  const wire = direction === 'in' || direction === 'out';
  return (
    <div
      id={`frame-${number}`}
      className="frame"
      role="option"
      aria-selected={chosen}
      data-direction={direction}
      style={{ height, transform: `translateY(${start}px)` }}
      onClick={() => {
        choose(frame);
      }}
    >
      <span className="frame-time">{formatSince(at, first)}</span>
      <span className="frame-mark" aria-hidden>
        {marks[direction]}
      </span>
      <span className="only-heard">{said}</span>
      <span className="frame-name" dir="ltr">
        {wire ? (name ?? t('inspector.unnamed')) : said}
      </span>
      <span className="frame-size">{wire && formatWireFrameSize(length)}</span>
      <span className="frame-text" dir="ltr">
        {text.slice(0, maxPreview)}
      </span>
    </div>
  );
});
WireFrameRow.displayName = 'WireFrameRow';
