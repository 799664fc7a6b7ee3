import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { VisionSettings } from '../../../shared/settings/settings-groups.ts';
import { maxSlicesPerFrame } from '../../../shared/protocol/protocol-limits.ts';
import { pictureTokens } from '../../../shared/vision/vision-limits.ts';
import { Segments } from '../../design/segments.tsx';
import { Slider } from '../../design/slider.tsx';
import { Switch } from '../../design/switch.tsx';
import { useActions, useUiState } from '../../store/use-app-context.ts';

/** Seconds between two pictures; with less than a chunk between them there is no way to send them. */
const pauses = [1, 2, 5, 10] as const;

/** How often and how sharply the model sees, and how the person sees themselves. */
export function CaptureOptions() {
  const vision = useUiState(({ settings }) => settings?.vision);
  const camera = useUiState(({ visionUi }) => visionUi.source.kind === 'camera');
  if (vision === undefined) return null;
  return (
    <div className="capture-options">
      <Detail slices={vision.slices} />
      <Rate rate={vision.rate} />
      {camera && <PreviewOptions {...vision} />}
    </div>
  );
}

function Detail({ slices }: Pick<VisionSettings, 'slices'>) {
  const { t } = useTranslation();
  const { changeVision } = useActions();
  const id = useId();
  const inspecting = useUiState(({ inspectorOpen }) => inspectorOpen);
  const cost = t('talk.capture.detailCost', { tokens: pictureTokens(slices) });
  return (
    <div className="capture-option">
      <label htmlFor={id}>{t('talk.capture.detail')}</label>
      <p id={`${id}-cost`} className="capture-cost">
        {inspecting ? cost : t('aroundTalk.detailHint')}
      </p>
      <Slider
        id={id}
        min={1}
        max={maxSlicesPerFrame}
        value={slices}
        shown={String(slices)}
        aria-describedby={`${id}-cost`}
        setValue={(slices) => void changeVision({ slices })}
      />
    </div>
  );
}

function Rate({ rate }: Pick<VisionSettings, 'rate'>) {
  const { t } = useTranslation();
  const { changeVision } = useActions();
  const id = useId();
  const choices = Object.fromEntries(
    pauses.map((seconds) => [String(seconds), t('talk.capture.seconds', { seconds })]),
  );
  const chosen = pauses.find((seconds) => Math.abs(rate - 1 / seconds) < 0.01);
  return (
    <div className="capture-option">
      <span id={id}>{t('talk.capture.rate')}</span>
      <Segments
        aria-labelledby={id}
        value={String(chosen)}
        choices={choices}
        choose={(seconds) => void changeVision({ rate: 1 / Number(seconds) })}
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
        <Switch id={`${id}-mirror`} on={mirror} setOn={(mirror) => void changeVision({ mirror })} />
      </div>
      <div className="capture-preview-option">
        <label htmlFor={`${id}-flip`}>{t('talk.capture.flip')}</label>
        <Switch id={`${id}-flip`} on={flip} setOn={(flip) => void changeVision({ flip })} />
      </div>
    </div>
  );
}
