import { AppWindow, Monitor } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CaptureSource } from '../../../shared/vision/vision-options.ts';
import { useActions, useUiState } from '../../app/app-context.ts';
import { Button } from '../../design/controls.tsx';
import { Sheet } from '../../design/layers.tsx';
import { areaStyle, JpegPicture, StreamPicture, usePreviewTransform } from './capture-picture.tsx';
import {
  areaBetween,
  arrowSteps,
  centeredArea,
  isInArea,
  moveArea,
  type PicturePoint,
  pointIn,
  previewArea,
  resizeArea,
  useAreaLabel,
} from './crop-area.ts';

/** Lists the screens or windows to share, where the system shows no picker. */
export function ShareSheet() {
  const { t } = useTranslation();
  const { stopPicking } = useActions();
  const picking = useUiState(({ visionUi }) => visionUi.picking);
  const kind = picking?.kind ?? 'screen';
  const emptyText = kind === 'window' ? 'noWindows' : 'noScreens';
  return (
    <Sheet
      wide={(picking?.list?.length ?? 0) > 2}
      name={t(`talk.capture.pick.${kind}`)}
      open={picking !== undefined}
      onClose={stopPicking}
    >
      <div className="sheet-page">
        <div className="sheet-body share">
          <h2 aria-hidden>{t(`talk.capture.pick.${kind}`)}</h2>
          <p>{t('talk.capture.pick.who')}</p>
          {picking?.list === undefined && <p role="status">{t('talk.capture.pick.looking')}</p>}
          {picking?.list?.length === 0 && (
            <p role="status">{t(`talk.capture.pick.${emptyText}`)}</p>
          )}
          <ul>
            {picking?.list?.map((source, index, { length }) => (
              <li key={source.id}>
                <ShareChoice source={source} number={length > 1 ? index + 1 : undefined} />
              </li>
            ))}
          </ul>
        </div>
        <footer className="sheet-foot">
          <Button onClick={stopPicking}>{t('buttons.cancel')}</Button>
        </footer>
      </div>
    </Sheet>
  );
}

interface ShareChoiceProps {
  readonly source: CaptureSource;
  /** Counts from 1; undefined for the only source. */
  readonly number: number | undefined;
}

function ShareChoice({ source: { id, kind, name, thumbnail }, number }: ShareChoiceProps) {
  const { t } = useTranslation();
  const { share } = useActions();
  // The system's names of screens are English in every language.
  const screenName =
    number === undefined
      ? t('talk.capture.pick.wholeScreen')
      : t('talk.capture.pick.numberedScreen', { number });
  const Icon = kind === 'window' ? AppWindow : Monitor;
  return (
    <button type="button" className="share-choice" onClick={() => void share(id)}>
      <span className="share-picture">
        {thumbnail === undefined ? (
          <Icon strokeWidth={1.25} aria-hidden />
        ) : (
          <JpegPicture jpeg={thumbnail} alt="" />
        )}
      </span>
      <span className="one-line" dir="auto">
        {kind === 'screen' ? screenName : name}
      </span>
    </button>
  );
}

export function CropSheet() {
  const { t } = useTranslation();
  const { stopCropping } = useActions();
  const cropping = useUiState(({ visionUi }) => visionUi.cropping);
  const capture = useUiState(({ capture }) => capture);
  return (
    <Sheet
      wide
      name={t('talk.capture.choosePart')}
      open={cropping !== undefined && capture.state === 'open'}
      onClose={() => void stopCropping()}
    >
      {capture.state === 'open' && <CropBody stream={capture.stream} />}
    </Sheet>
  );
}

interface Drag {
  readonly from: PicturePoint;
  /** True when the drag began inside the area; otherwise it draws a new area. */
  readonly moving: boolean;
}

function CropBody({ stream }: { readonly stream: MediaStream }) {
  const { t } = useTranslation();
  const { setCrop, stopCropping } = useActions();
  const transform = usePreviewTransform();
  const crop = useUiState(({ visionUi }) => visionUi.crop);
  const [area, setArea] = useState(() => previewArea(crop ?? centeredArea, transform));
  const drag = useRef<Drag>(undefined);

  const onPointerDown = (event: PointerEvent): void => {
    event.currentTarget.setPointerCapture(event.pointerId);
    const from = pointIn(event);
    drag.current = { from, moving: isInArea(area, from) };
  };
  const onPointerMove = (event: PointerEvent): void => {
    const current = drag.current;
    if (current === undefined) return;
    const at = pointIn(event);
    if (!current.moving) {
      setArea(areaBetween(current.from, at));
      return;
    }
    setArea(moveArea(area, at.x - current.from.x, at.y - current.from.y));
    drag.current = { ...current, from: at };
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const [x, y] = arrowSteps[event.key] ?? [0, 0];
    if (x === 0 && y === 0) return;
    event.preventDefault();
    setArea(event.shiftKey ? resizeArea(area, x, y) : moveArea(area, x, y));
  };
  const areaLabel = useAreaLabel()(area);
  return (
    <div className="sheet-page">
      <div className="sheet-body crop">
        <p className="crop-help" id="crop-help">
          {t('talk.capture.partHelp')}
        </p>
        <div
          className="crop-picture"
          onPointerDown={onPointerDown}
          onPointerMove={onPointerMove}
          onLostPointerCapture={() => {
            drag.current = undefined;
          }}
        >
          <StreamPicture stream={stream} />
          <div
            className="crop-part"
            style={areaStyle(area)}
            role="group"
            tabIndex={0}
            aria-label={areaLabel}
            aria-describedby="crop-help"
            onKeyDown={onKeyDown}
          />
        </div>
        <p className="visually-hidden" role="status">
          {areaLabel}
        </p>
      </div>
      <footer className="sheet-foot">
        <Button kind="quiet" onClick={() => void stopCropping()}>
          {t('buttons.cancel')}
        </Button>
        <Button onClick={() => void setCrop(undefined)}>{t('talk.capture.showAll')}</Button>
        <Button kind="strong" onClick={() => void setCrop(previewArea(area, transform))}>
          {t('talk.capture.showPart')}
        </Button>
      </footer>
    </div>
  );
}
