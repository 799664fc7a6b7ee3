import { Camera, CirclePause, Crop, MonitorUp, SlidersHorizontal } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maxSlicesPerFrame } from '../../../shared/protocol/realtime-api.ts';
import type { VisionSettings } from '../../../shared/settings/app-settings.ts';
import { pictureTokens } from '../../../shared/vision/vision-frame.ts';
import { useActions, useUiState } from '../../app/app-context.ts';
import { computerPace } from '../../app/ui-state.ts';
import { useNarrowerThan } from '../../app/use-appearance.ts';
import { IconButton, PlainIconButton, Segments, Slider, Switch } from '../../design/controls.tsx';
import { Menu, MenuChoice, Panel } from '../../design/layers.tsx';
import { JpegPicture, LivePicture, usePreviewTransform } from './capture-picture.tsx';

/** Shows the live preview, or the frame that was sent last. */
export function CameraTile() {
  const { t } = useTranslation();
  const capture = useUiState(({ capture }) => capture);
  const frozen = useUiState(({ frozen }) => frozen);
  const source = useUiState(({ visionUi }) => visionUi.source.kind);
  const [showsSent, setShowsSent] = useState(false);
  if (capture.state === 'off') return null;
  const isCamera = source === 'camera';
  return (
    <section
      className="capture hint"
      data-shared={!isCamera}
      aria-label={t(isCamera ? 'talk.capture.name' : 'talk.capture.shared')}
    >
      <div className="capture-picture">
        {showsSent && <SentFrame />}
        {!showsSent && capture.state === 'open' && <LivePicture stream={capture.stream} />}
        {!showsSent && capture.state === 'opening' && <p>{t('talk.capture.opening')}</p>}
        {!showsSent && capture.state === 'lost' && (
          <p role="alert">
            {t(`talk.capture.${isCamera ? 'lost' : 'lostScreen'}.${capture.reason}`)}
          </p>
        )}
      </div>
      <div className="capture-controls">
        <PreviewChoice showsSent={showsSent} onChoose={setShowsSent} />
        <CaptureTools />
      </div>
      {showsSent && <SentFrameFacts />}
      {capture.state === 'open' && capture.unreadable && (
        <p className="capture-note" role="alert">
          {t('talk.capture.unreadable')}
        </p>
      )}
      {frozen && <p className="capture-note">{t('talk.capture.frozen')}</p>}
    </section>
  );
}

interface PreviewChoiceProps {
  readonly showsSent: boolean;
  readonly onChoose: (showsSent: boolean) => void;
}

function PreviewChoice({ showsSent, onChoose }: PreviewChoiceProps) {
  const { t } = useTranslation();
  // The label says that the preview is mirrored, because Parley reads text the right way round.
  const { mirror } = usePreviewTransform();
  return (
    <div className="capture-sides word-choices">
      {[false, true].map((side) => (
        <button
          key={String(side)}
          type="button"
          aria-pressed={side === showsSent}
          onClick={() => onChoose(side)}
        >
          {t(side ? 'talk.capture.seen' : `talk.capture.${mirror ? 'mirrored' : 'live'}`)}
        </button>
      ))}
    </div>
  );
}

/** In rem. Below this width the options open under the picture. */
const minBesideWidth = 44;

function CaptureTools() {
  const { t } = useTranslation();
  const { setFrozen, beginCropping } = useActions();
  const frozen = useUiState(({ frozen }) => frozen);
  const isOpen = useUiState(({ capture }) => capture.state === 'open');
  const isNarrow = useNarrowerThan(minBesideWidth);
  return (
    <div className="capture-tools">
      <SourceMenu />
      <IconButton
        icon={Crop}
        label={t('talk.capture.choosePart')}
        disabled={!isOpen}
        onClick={beginCropping}
      />
      <IconButton
        icon={CirclePause}
        label={t(frozen ? 'talk.capture.unfreeze' : 'talk.capture.freeze')}
        data-held={frozen}
        onClick={() => setFrozen(!frozen)}
      />
      <Panel
        name={t('talk.capture.options')}
        // The dock with the End button is below, so the options open beside the picture.
        side={isNarrow ? 'bottom' : 'left'}
        trigger={<PlainIconButton icon={SlidersHorizontal} label={t('talk.capture.options')} />}
      >
        <CaptureOptions />
      </Panel>
    </div>
  );
}

function SentFrame() {
  const { t } = useTranslation();
  const frame = useUiState(({ sentFrame }) => sentFrame);
  if (frame === undefined) return <p>{t('talk.capture.notYet')}</p>;
  return <JpegPicture jpeg={frame.jpeg} alt={t('talk.capture.shown')} />;
}

function SentFrameFacts() {
  const { t } = useTranslation();
  const facts = useUiState(({ sentFrame }) => sentFrame?.facts);
  const isInspecting = useUiState(({ inspectorOpen }) => inspectorOpen);
  if (facts === undefined) return null;
  const { width, height, bytes, tokens, counted } = facts;
  const size = Math.max(1, Math.round(bytes / 1024));
  const textKey = counted === true ? 'counted' : 'facts';
  return (
    <p className="capture-note">
      {isInspecting
        ? t(`talk.capture.${textKey}`, { width, height, size, tokens })
        : t('aroundTalk.pictureFacts', { width, height, size })}
    </p>
  );
}

const anyCamera = 'camera:';

function SourceMenu() {
  const { t } = useTranslation();
  const { showCamera, pick, refreshCameras } = useActions();
  const source = useUiState(({ visionUi }) => visionUi.source);
  const cropped = useUiState(({ visionUi }) => visionUi.crop !== undefined);
  const cameras = useUiState(({ visionUi }) => visionUi.cameras);
  const openLabel = useUiState(({ capture }) => (capture.state === 'open' ? capture.label : ''));
  const labels = cameras.map(({ label }) => label).filter((label) => label !== '');
  const hasSeveral = new Set(labels).size > 1;
  const choices = {
    ...(hasSeveral
      ? Object.fromEntries(labels.map((label) => [`${anyCamera}${label}`, label]))
      : { [anyCamera]: t('talk.capture.sources.camera') }),
    screen: t('talk.capture.sources.screen'),
    window: t('talk.capture.sources.window'),
    region: t('talk.capture.sources.region'),
  };
  const shared = source.kind === 'screen' && cropped ? 'region' : source.kind;
  const value = source.kind === 'camera' ? `${anyCamera}${hasSeveral ? openLabel : ''}` : shared;
  const choose = (choice: string): void => {
    if (choice.startsWith(anyCamera)) void showCamera(choice.slice(anyCamera.length));
    else if (choice === 'screen' || choice === 'window' || choice === 'region') void pick(choice);
  };
  return (
    <Menu
      onOpen={() => void refreshCameras()}
      trigger={
        <PlainIconButton
          icon={source.kind === 'camera' ? Camera : MonitorUp}
          label={t('talk.capture.source')}
        />
      }
    >
      <MenuChoice
        name={t('talk.capture.source')}
        value={value}
        choices={choices}
        onChoose={choose}
      />
    </Menu>
  );
}

/** Seconds between two pictures. A picture goes out with a chunk, so the shortest pause is one chunk (1 s by default). */
const pauses = [1, 2, 5, 10] as const;

function CaptureOptions() {
  const vision = useUiState(({ settings }) => settings?.vision);
  const isCamera = useUiState(({ visionUi }) => visionUi.source.kind === 'camera');
  if (vision === undefined) return null;
  return (
    <div className="capture-options">
      <DetailSlider slices={vision.slices} />
      <RateChoice rate={vision.rate} />
      {isCamera && <PreviewOptions {...vision} />}
    </div>
  );
}

function DetailSlider({ slices }: Pick<VisionSettings, 'slices'>) {
  const { t } = useTranslation();
  const { changeVision } = useActions();
  const id = useId();
  const isInspecting = useUiState(({ inspectorOpen }) => inspectorOpen);
  const cost = t('talk.capture.detailCost', { tokens: pictureTokens(slices) });
  return (
    <div className="capture-option">
      <label htmlFor={id}>{t('settings.rows.vision.slices.name')}</label>
      <p id={`${id}-cost`} className="capture-cost hint">
        {isInspecting ? cost : t('aroundTalk.detailHint')}
      </p>
      <Slider
        id={id}
        min={1}
        max={maxSlicesPerFrame}
        value={slices}
        valueText={String(slices)}
        aria-describedby={`${id}-cost`}
        onValueChange={(slices) => void changeVision({ slices })}
      />
    </div>
  );
}

function RateChoice({ rate }: Pick<VisionSettings, 'rate'>) {
  const { t } = useTranslation();
  const { changeVision } = useActions();
  const id = useId();
  const choices = Object.fromEntries(
    pauses.map((seconds) => [String(seconds), t('settings.voices.seconds', { seconds })]),
  );
  const chosen = pauses.find((seconds) => Math.abs(rate - 1 / seconds) < 0.01);
  const pace = useUiState(computerPace);
  return (
    <div className="capture-option">
      <span id={id}>{t('talk.capture.rate')}</span>
      {pace?.verdict === 'fewPictures' && (
        <p className="capture-cost hint">{t('model.fewPictures')}</p>
      )}
      <Segments
        aria-labelledby={id}
        value={String(chosen)}
        choices={choices}
        onChoose={(seconds) => void changeVision({ rate: 1 / Number(seconds) })}
      />
    </div>
  );
}

function PreviewOptions({ mirror, flip }: Pick<VisionSettings, 'mirror' | 'flip'>) {
  const { t } = useTranslation();
  const { changeVision } = useActions();
  const id = useId();
  return (
    <div className="capture-preview-options">
      <div className="capture-preview-option">
        <label htmlFor={`${id}-mirror`}>{t('talk.capture.mirror')}</label>
        <Switch
          id={`${id}-mirror`}
          on={mirror}
          onSwitch={(mirror) => void changeVision({ mirror })}
        />
      </div>
      <div className="capture-preview-option">
        <label htmlFor={`${id}-flip`}>{t('talk.capture.flip')}</label>
        <Switch id={`${id}-flip`} on={flip} onSwitch={(flip) => void changeVision({ flip })} />
      </div>
    </div>
  );
}
