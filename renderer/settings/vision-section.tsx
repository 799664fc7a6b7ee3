import { useTranslation } from 'react-i18next';
import { defaultSettings } from '../../shared/settings/default-settings.ts';
import { pictureTokens } from '../../shared/vision/picture-tokens.ts';
import { SliderSetting, SwitchSetting } from './bound-settings.tsx';
import { useGroup } from './use-group.ts';

const usual = defaultSettings.vision;

/** How much the model sees, and what that costs. */
export function VisionSection() {
  const { t } = useTranslation();
  const { slices, rate, fewerWhenStill } = useGroup('vision');
  return (
    <>
      <h1>{t('settings.sections.vision')}</h1>
      <SliderSetting
        at="vision.slices"
        value={slices}
        min={1}
        max={9}
        step={1}
        usual={usual.slices}
        shown={(slices) => t('settings.vision.slices', { slices, tokens: pictureTokens(slices) })}
        patch={(slices) => ({ vision: { slices } })}
      />
      <SliderSetting
        at="vision.rate"
        value={rate}
        min={0.1}
        max={5}
        step={0.1}
        usual={usual.rate}
        shown={(rate) => t('settings.vision.rate', { rate })}
        patch={(rate) => ({ vision: { rate } })}
      />
      <SwitchSetting
        at="vision.fewerWhenStill"
        value={fewerWhenStill}
        patch={(fewerWhenStill) => ({ vision: { fewerWhenStill } })}
      />
    </>
  );
}
