import { useVirtualizer } from '@tanstack/react-virtual';
import { Copy, X } from 'lucide-react';
import { type KeyboardEvent, memo, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useUiState } from '../app/app-context.ts';
import { selectAppearance } from '../app/page-style.ts';
import { IconButton } from '../design/controls.tsx';
import { copyText } from '../design/copy-text.ts';
import type { LoggedWireFrame, WireLog } from './wire-log.ts';

/** In pixels: the minimum height of a pointer target, with room for two lines. */
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
  readonly onChoose: (frame: LoggedWireFrame) => void;
}

export function WireFrameList({ log, chosen, onChoose }: Props) {
  const { t } = useTranslation();
  const frames = useSyncExternalStore(log.subscribe, () => log.shown);
  const scroller = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const { textSize } = useUiState(selectAppearance);
  const rowHeight = Math.max(defaultHeight, (defaultHeight * textSize) / 100);
  const rows = useVirtualizer({
    count: frames.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  useEffect(() => rows.measure(), [rows, rowHeight]);
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
    onChoose(frame);
    rows.scrollToIndex(index);
  };
  return (
    <div
      ref={scroller}
      className="frames"
      // A listbox must contain options, so an empty list is a region.
      role={frames.length > 0 ? 'listbox' : 'region'}
      tabIndex={0}
      aria-label={t('inspector.events')}
      aria-activedescendant={chosen === undefined ? undefined : `frame-${chosen.number}`}
      onKeyDown={onKeyDown}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        atEnd.current = scrollHeight - scrollTop - clientHeight < rowHeight;
      }}
    >
      <div className="frames-content" role="presentation" style={{ height: rows.getTotalSize() }}>
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
              onChoose={onChoose}
            />
          );
        })}
      </div>
      {frames.length === 0 && <p className="frames-none">{t('inspector.none')}</p>}
    </div>
  );
}

interface WireFrameRowProps {
  readonly frame: LoggedWireFrame;
  readonly first: number;
  readonly start: number;
  readonly height: number;
  readonly chosen: boolean;
  readonly onChoose: (frame: LoggedWireFrame) => void;
}

const marks = { out: '↑', in: '↓', opened: '●', ended: '○' } as const;
const maxPreview = 200;

const WireFrameRow = memo(function WireFrameRow({
  frame,
  first,
  start,
  height,
  chosen,
  onChoose,
}: WireFrameRowProps) {
  const { t } = useTranslation();
  const { number, at, direction, name, text, length, connection } = frame;
  const directionText = t(`inspector.marks.${direction}`, { connection });
  const isWireFrame = direction === 'in' || direction === 'out';
  return (
    <div
      id={`frame-${number}`}
      className="frame"
      role="option"
      aria-selected={chosen}
      data-direction={direction}
      style={{ height, transform: `translateY(${start}px)` }}
      onClick={() => onChoose(frame)}
    >
      <span className="frame-time">{formatSince(at, first)}</span>
      <span className="frame-mark" aria-hidden>
        {marks[direction]}
      </span>
      <span className="visually-hidden">{directionText}</span>
      <span className="frame-name one-line" dir="ltr">
        {isWireFrame ? (name ?? t('inspector.unnamed')) : directionText}
      </span>
      <span className="frame-size">{isWireFrame && formatWireFrameSize(length)}</span>
      <span className="frame-text one-line" dir="ltr">
        {text.slice(0, maxPreview)}
      </span>
    </div>
  );
});

interface WireFrameDetailProps {
  readonly frame: LoggedWireFrame;
  readonly onClose: () => void;
}

/** The whole event as the core sends it; media are replaced with their length. */
export function WireFrameDetail({ frame, onClose }: WireFrameDetailProps) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState<boolean>();
  const text = prettyJson(frame.text);
  return (
    <section className="frame-detail" aria-label={t('inspector.detail')}>
      <div className="frame-detail-head">
        <h3 className="one-line" dir="ltr">
          {frame.name ?? t('inspector.unnamed')}
        </h3>
        <p role="status">
          {copied !== undefined && t(copied ? 'chat.actions.copied' : 'inspector.notCopied')}
        </p>
        <IconButton
          icon={Copy}
          label={t('buttons.copy')}
          onClick={() => setCopied(copyText(text))}
        />
        <IconButton icon={X} label={t('inspector.closeDetail')} onClick={onClose} />
      </div>
      <pre tabIndex={0} dir="ltr">
        {text}
      </pre>
    </section>
  );
}

/** JSON indented; any other text unchanged. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

export function formatWireFrameSize(length: number): string {
  if (length < 1000) return `${length} B`;
  const kilo = length / 1000;
  return kilo < 1000 ? `${kilo.toFixed(1)} KB` : `${(kilo / 1000).toFixed(1)} MB`;
}

export function formatSince(at: number, first: number): string {
  return ((at - first) / 1000).toFixed(3);
}
