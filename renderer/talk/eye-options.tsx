import { FlipHorizontal2, FlipVertical2 } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { VisionSettings } from '../../shared/settings/groups.ts';
import { mostSlices } from '../../shared/protocol/limits.ts';
import { pictureTokens } from '../../shared/vision/picture-tokens.ts';
import { useActions, useView } from '../store/use-desk.ts';

/** Seconds between two pictures; with less than a chunk between them there is no way to send them. */
const pauses = [1, 2, 5, 10] as const;

/** How often and how sharply the model sees, and how the person sees themselves. */
export function EyeOptions() {
  const vision = useView(({ settings }) => settings?.vision);
  const camera = useView(({ seeing }) => seeing.source.kind === 'camera');
  if (vision === undefined) return null;
  return (
    <div className="eye-options">
      <Detail slices={vision.slices} />
      <Rate rate={vision.rate} />
      {camera && <Manner {...vision} />}
    </div>
  );
}

function Detail({ slices }: Pick<VisionSettings, 'slices'>) {
  const { t } = useTranslation();
  const { changeVision } = useActions();
  const id = useId();
  return (
    <div className="eye-option">
      <label htmlFor={id}>{t('talk.eye.detail')}</label>
      <input
        id={id}
        type="range"
        min={1}
        max={mostSlices}
        value={slices}
        aria-describedby={`${id}-cost`}
        onChange={({ target }) => void changeVision({ slices: target.valueAsNumber })}
      />
      <output id={`${id}-cost`} htmlFor={id}>
        {t('talk.eye.detailCost', { slices, tokens: pictureTokens(slices) })}
      </output>
    </div>
  );
}

function Rate({ rate }: Pick<VisionSettings, 'rate'>) {
  const { t } = useTranslation();
  const { changeVision } = useActions();
  const id = useId();
  return (
    <fieldset className="eye-option">
      <legend>{t('talk.eye.rate')}</legend>
      <div className="eye-rates">
        {pauses.map((seconds) => (
          <label key={seconds}>
            <input
              type="radio"
              name={id}
              className="only-heard"
              checked={Math.abs(rate - 1 / seconds) < 0.01}
              onChange={() => void changeVision({ rate: 1 / seconds })}
            />
            <span>{t('talk.eye.seconds', { seconds })}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Manner({ mirror, flip }: Pick<VisionSettings, 'mirror' | 'flip'>) {
  const { t } = useTranslation();
  const { changeVision } = useActions();
  return (
    <div className="eye-manner">
      <button
        type="button"
        aria-pressed={mirror}
        onClick={() => void changeVision({ mirror: !mirror })}
      >
        <FlipHorizontal2 size={18} strokeWidth={1.75} aria-hidden />
        {t('talk.eye.mirror')}
      </button>
      <button type="button" aria-pressed={flip} onClick={() => void changeVision({ flip: !flip })}>
        <FlipVertical2 size={18} strokeWidth={1.75} aria-hidden />
        {t('talk.eye.flip')}
      </button>
    </div>
  );
}
