import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { documentedContext, secondsWithPictures } from '../../../shared/vision/context-facts.ts';
import { pictureTokens } from '../../../shared/vision/vision-frame.ts';
import { useActions, useUiState } from '../../app/app-context.ts';
import { serverName } from '../../i18n/format.ts';
import {
  PickerSetting,
  SliderSetting,
  SwitchSetting,
  useSettingsGroup,
} from '../controls/setting.tsx';

/** A picker value cannot be empty, and no camera has this name. */
const anyCamera = ' ';

export function VisionSection() {
  const { t } = useTranslation();
  const { chosen } = useSettingsGroup('endpoints');
  const { refreshCameras } = useActions();
  useEffect(() => void refreshCameras(), [refreshCameras]);
  return (
    <>
      <h1>{t('settings.sections.vision')}</h1>
      <SliderSetting
        at="vision.slices"
        step={1}
        valueText={(slices) =>
          t('settings.vision.slices', { slices, tokens: pictureTokens(slices) })
        }
      />
      <SliderSetting
        at="vision.rate"
        step={0.1}
        valueText={(rate) => t('settings.vision.rate', { rate })}
      />
      <BudgetSetting key={chosen} />
      <SwitchSetting at="vision.fewerWhenStill" />
      <CameraPicker />
      <SwitchSetting at="vision.mirror" />
      <SwitchSetting at="vision.flip" />
    </>
  );
}

/** Cameras by name, because browsers reset ids with their data. Names appear after the first permission. */
function CameraPicker() {
  const { t } = useTranslation();
  const { camera } = useSettingsGroup('vision');
  const cameras = useUiState(({ visionUi }) => visionUi.cameras);
  const labels = cameras.map(({ label }) => label).filter((label) => label !== '');
  const choices = {
    [anyCamera]: t('settings.vision.anyCamera'),
    ...Object.fromEntries(labels.map((name) => [name, name])),
  };
  return (
    <PickerSetting
      at="vision.camera"
      value={camera === '' ? anyCamera : camera}
      choices={choices}
      fallback={t('settings.sound.missing', { name: camera })}
      patch={(chosen) => ({ vision: { camera: chosen === anyCamera ? '' : chosen } })}
    />
  );
}

/** Context share of pictures and the resulting talk length. Its key remounts it for each server. */
function BudgetSetting() {
  const { t, i18n } = useTranslation();
  const { setup } = useActions();
  const { slices, rate } = useSettingsGroup('vision');
  const { generation } = useSettingsGroup('assistant');
  const { chosen, list } = useSettingsGroup('endpoints');
  const memory = useUiState(({ settingsUi }) => settingsUi.serverContext) ?? documentedContext;
  useEffect(() => void setup.readServerContext(), [setup]);
  const server = serverName(t, list.find(({ id }) => id === chosen)?.name ?? '');
  const minutesOf = (budget: number): string => {
    const plan = { budget, slices, rate, chunkMs: generation.chunkMs };
    const minutes = secondsWithPictures(memory, plan) / 60;
    return new Intl.NumberFormat(i18n.language, {
      maximumFractionDigits: minutes < 10 ? 1 : 0,
    }).format(minutes);
  };
  return (
    <>
      <SliderSetting
        at="vision.budget"
        step={1}
        valueText={(budget) => t('settings.vision.minutes', { minutes: minutesOf(budget) })}
      />
      <p className="row-hint budget-note">
        {memory.everyAppend
          ? t(slices > 1 ? 'settings.vision.minutesByDetail' : 'settings.vision.minutesFixed', {
              server,
            })
          : t('settings.vision.minutesOf', { server })}
      </p>
    </>
  );
}
