import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FrameArea } from '../../shared/vision/vision-options.ts';
import { useActions } from '../app/app-context.ts';
import { useAppearance } from '../app/use-appearance.ts';
import { useWindowKeydown } from '../keys/window-keys.ts';
import { areaStyle, JpegPicture } from '../talk/capture/capture-picture.tsx';
import {
  arrowSteps,
  areaBetween,
  centeredArea,
  moveArea,
  type PicturePoint,
  pointIn,
  resizeArea,
  useAreaLabel,
} from '../talk/capture/crop-area.ts';
import './region.css';

/** The least width and height of an area, as a share of the screen's. A smaller area has no room for a line of text. */
const minSide = 0.01;
/** A shorter drag, as a share of the screen, is a click. */
const minDrag = 0.005;

/** A picture of the whole screen, on which the user chooses a part by pointer or keys. */
export function RegionPage() {
  const { t } = useTranslation();
  const { quick } = useActions();
  const [screen, setScreen] = useState<Uint8Array>();
  useAppearance(t('cursor.region.title'));
  useEffect(() => {
    void quick.regionScreen().then((jpeg) => {
      if (jpeg === undefined) void quick.cancelRegion();
      else setScreen(jpeg);
      return undefined;
    });
  }, [quick]);
  return (
    <main className="region" aria-label={t('cursor.region.title')}>
      <h1 className="visually-hidden">{t('cursor.region.title')}</h1>
      {screen !== undefined && <RegionChoice screen={screen} />}
    </main>
  );
}

function RegionChoice({ screen }: { readonly screen: Uint8Array }) {
  const { t } = useTranslation();
  const { quick } = useActions();
  const [area, setArea] = useState<FrameArea>();
  const [ratio, setRatio] = useState(1);
  const from = useRef<PicturePoint>(undefined);
  const labelOf = useAreaLabel();
  const label = area === undefined ? t('cursor.region.none') : labelOf(area);

  useWindowKeydown((event) => {
    if (event.key === 'Escape') void quick.cancelRegion();
    else if (event.key === 'Enter' && area !== undefined) void quick.takeRegion(area);
    const [x, y] = arrowSteps[event.key] ?? [0, 0];
    if (x === 0 && y === 0) return;
    event.preventDefault();
    const before = area ?? centeredArea;
    setArea(event.shiftKey ? resizeArea(before, x, y, minSide) : moveArea(before, x, y));
  });
  const onPointerDown = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    from.current = pointIn(event);
  };
  const dragged = (event: PointerEvent): FrameArea | undefined => {
    const [start, end] = [from.current, pointIn(event)];
    if (start === undefined) return undefined;
    const isClick = Math.abs(end.x - start.x) < minDrag && Math.abs(end.y - start.y) < minDrag;
    return isClick ? undefined : areaBetween(start, end, minSide);
  };
  return (
    <>
      <div
        className="region-picture"
        style={{ width: `min(100vw, ${ratio * 100}vh)` }}
        role="group"
        tabIndex={0}
        aria-label={label}
        aria-describedby="region-help"
        onPointerDown={onPointerDown}
        onPointerMove={(event) => {
          if (from.current !== undefined) setArea(dragged(event));
        }}
        onPointerUp={(event) => {
          const chosen = dragged(event);
          from.current = undefined;
          if (chosen !== undefined) void quick.takeRegion(chosen);
        }}
      >
        <JpegPicture
          jpeg={screen}
          alt=""
          onDrawn={({ naturalWidth, naturalHeight }) => {
            setRatio(naturalWidth / naturalHeight);
            void quick.showRegion();
          }}
        />
        <div className="region-shade" style={area && areaStyle(area)} />
      </div>
      <p className="region-help" id="region-help">
        {t('cursor.region.help')}
      </p>
      <p className="visually-hidden" role="status">
        {label}
      </p>
    </>
  );
}
