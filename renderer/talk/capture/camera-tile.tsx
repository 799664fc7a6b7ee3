import { CirclePause, Crop, SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../design/icon-button.tsx';
import { Panel } from '../../design/panel.tsx';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { CaptureOptions } from './capture-options.tsx';
import { LivePicture, usePreviewTransform } from './live-picture.tsx';
import { useNarrowerThan } from '../../shell/use-narrower-than.ts';
import { SentFrameFacts, SentFrame } from './sent-frame.tsx';
import { SourceMenu } from './source-menu.tsx';

/** What is shown to the model: the live picture, mirrored as people know themselves, or what it saw. */
export function CameraTile() {
  const { t } = useTranslation();
  const capture = useUiState(({ capture }) => capture);
  const frozen = useUiState(({ frozen }) => frozen);
  const source = useUiState(({ visionUi }) => visionUi.source.kind);
  const [seen, setSeen] = useState(false);
  if (capture.state === 'off') return null;
  const camera = source === 'camera';
  return (
    <section
      className="capture"
      data-shared={!camera}
      aria-label={t(camera ? 'talk.capture.name' : 'talk.capture.shared')}
    >
      <div className="capture-picture">
        {seen && <SentFrame />}
        {!seen && capture.state === 'open' && <LivePicture stream={capture.stream} />}
        {!seen && capture.state === 'opening' && <p>{t('talk.capture.opening')}</p>}
        {!seen && capture.state === 'lost' && (
          <p role="alert">
            {t(`talk.capture.${camera ? 'lost' : 'lostScreen'}.${capture.reason}`)}
          </p>
        )}
      </div>
      <div className="capture-controls">
        <Sides seen={seen} setSeen={setSeen} />
        <Tools />
      </div>
      {seen && <SentFrameFacts />}
      {capture.state === 'open' && capture.unreadable && (
        <p className="capture-note" role="alert">
          {t('talk.capture.unreadable')}
        </p>
      )}
      {frozen && <p className="capture-note">{t('talk.capture.frozen')}</p>}
    </section>
  );
}

interface SidesProps {
  readonly seen: boolean;
  readonly setSeen: (seen: boolean) => void;
}

function Sides({ seen, setSeen }: SidesProps) {
  const { t } = useTranslation();
  // Who holds up a text must know that Parley can read it.
  const { mirror } = usePreviewTransform();
  return (
    <div className="capture-sides">
      {[false, true].map((side) => (
        <button
          key={String(side)}
          type="button"
          aria-pressed={side === seen}
          onClick={() => {
            setSeen(side);
          }}
        >
          {t(side ? 'talk.capture.seen' : `talk.capture.${mirror ? 'mirrored' : 'live'}`)}
        </button>
      ))}
    </div>
  );
}

/** In rem: below this there is no place beside the picture. */
const besidePicture = 44;

function Tools() {
  const { t } = useTranslation();
  const { setFrozen, beginCropping } = useActions();
  const frozen = useUiState(({ frozen }) => frozen);
  const open = useUiState(({ capture }) => capture.state === 'open');
  const narrow = useNarrowerThan(besidePicture);
  return (
    <div className="capture-tools">
      <SourceMenu />
      <IconButton
        icon={Crop}
        label={t('talk.capture.choosePart')}
        disabled={!open}
        onClick={beginCropping}
      />
      <IconButton
        icon={CirclePause}
        label={t(frozen ? 'talk.capture.unfreeze' : 'talk.capture.freeze')}
        data-held={frozen}
        onClick={() => {
          setFrozen(!frozen);
        }}
      />
      <Panel
        name={t('talk.capture.options')}
        // Below it is the dock, and with it End.
        side={narrow ? 'bottom' : 'left'}
        trigger={
          <button type="button" className="icon-button" aria-label={t('talk.capture.options')}>
            <SlidersHorizontal strokeWidth={1.75} aria-hidden />
          </button>
        }
      >
        <CaptureOptions />
      </Panel>
    </div>
  );
}
