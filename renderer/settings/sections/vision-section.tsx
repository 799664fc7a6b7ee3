import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { defaultSettings } from '../../../shared/settings/default-settings.ts';
import { pictureTokens } from '../../../shared/vision/vision-limits.ts';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { PickerSetting, SliderSetting, SwitchSetting } from '../controls/setting-controls.tsx';
import { useSettingsGroup } from '../controls/use-settings-group.ts';
import { BudgetSetting } from './budget-setting.tsx';

const defaults = defaultSettings.vision;

/** No camera is called so, and a picker's choice has to be called something. */
const any = ' ';

/** How much the model sees, and what that costs. */
export function VisionSection() {
  const { t } = useTranslation();
  const { slices, rate, fewerWhenStill, mirror, flip } = useSettingsGroup('vision');
  const { chosen } = useSettingsGroup('endpoints');
  const { refreshCameras } = useActions();
  useEffect(() => {
    void refreshCameras();
  }, [refreshCameras]);
  return (
    <>
      <h1>{t('settings.sections.vision')}</h1>
      <SliderSetting
        at="vision.slices"
        value={slices}
        min={1}
        max={9}
        step={1}
        defaultValue={defaults.slices}
        shown={(slices) => t('settings.vision.slices', { slices, tokens: pictureTokens(slices) })}
        patch={(slices) => ({ vision: { slices } })}
      />
      <SliderSetting
        at="vision.rate"
        value={rate}
        min={0.1}
        max={5}
        step={0.1}
        defaultValue={defaults.rate}
        shown={(rate) => t('settings.vision.rate', { rate })}
        patch={(rate) => ({ vision: { rate } })}
      />
      <BudgetSetting key={chosen} />
      <SwitchSetting
        at="vision.fewerWhenStill"
        value={fewerWhenStill}
        patch={(fewerWhenStill) => ({ vision: { fewerWhenStill } })}
      />
      <CameraPicker />
      <SwitchSetting
        at="vision.mirror"
        value={mirror}
        patch={(mirror) => ({ vision: { mirror } })}
      />
      <SwitchSetting at="vision.flip" value={flip} patch={(flip) => ({ vision: { flip } })} />
    </>
  );
}

/** By name: ids change when a browser's data are cleared. Names come with the first permission. */
function CameraPicker() {
  const { t } = useTranslation();
  const { camera } = useSettingsGroup('vision');
  const cameras = useUiState(({ visionUi }) => visionUi.cameras);
  const named = cameras.map(({ label }) => label).filter((label) => label !== '');
  const choices = {
    [any]: t('settings.vision.anyCamera'),
    ...Object.fromEntries(named.map((name) => [name, name])),
  };
  return (
    <PickerSetting
      at="vision.camera"
      value={camera === '' ? any : camera}
      choices={choices}
      otherwise={t('settings.vision.cameraMissing', { name: camera })}
      patch={(chosen) => ({ vision: { camera: chosen === any ? '' : chosen } })}
    />
  );
}
