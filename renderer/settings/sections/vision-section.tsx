import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { documentedMemory, memorySeconds } from '../../../shared/vision/picture-memory.ts';
import { pictureTokens } from '../../../shared/vision/vision-frame.ts';
import { useActions, useUiState } from '../../app/use-app-context.ts';
import { serverName } from '../../i18n/server-name.ts';
import { PickerSetting, SliderSetting, SwitchSetting } from '../controls/setting.tsx';
import { useSettingsGroup } from '../controls/use-settings.ts';

/** No camera is called so, and a picker's choice has to be called something. */
const any = ' ';

/** How much the model sees, and what that costs. */
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
        shown={(slices) => t('settings.vision.slices', { slices, tokens: pictureTokens(slices) })}
      />
      <SliderSetting
        at="vision.rate"
        step={0.1}
        shown={(rate) => t('settings.vision.rate', { rate })}
      />
      <BudgetSetting key={chosen} />
      <SwitchSetting at="vision.fewerWhenStill" />
      <CameraPicker />
      <SwitchSetting at="vision.mirror" />
      <SwitchSetting at="vision.flip" />
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
      otherwise={t('settings.sound.missing', { name: camera })}
      patch={(chosen) => ({ vision: { camera: chosen === any ? '' : chosen } })}
    />
  );
}

/** How much of the model's memory goes to pictures, and the minutes that a talk then has; it is made anew for another server. */
function BudgetSetting() {
  const { t, i18n } = useTranslation();
  const { setup } = useActions();
  const { slices, rate } = useSettingsGroup('vision');
  const { generation } = useSettingsGroup('assistant');
  const { chosen, list } = useSettingsGroup('endpoints');
  const memory = useUiState(({ settingsUi }) => settingsUi.serverMemory) ?? documentedMemory;
  useEffect(() => void setup.readServerMemory(), [setup]);
  const server = serverName(t, list.find(({ id }) => id === chosen)?.name ?? '');
  const minutesOf = (budget: number): string => {
    const plan = { budget, slices, rate, chunkMs: generation.chunkMs };
    const minutes = memorySeconds(memory, plan) / 60;
    return new Intl.NumberFormat(i18n.language, {
      maximumFractionDigits: minutes < 10 ? 1 : 0,
    }).format(minutes);
  };
  return (
    <>
      <SliderSetting
        at="vision.budget"
        step={1}
        shown={(budget) => t('settings.vision.minutes', { minutes: minutesOf(budget) })}
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
