import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { defaultSettings } from '../../../shared/settings/default-settings.ts';
import {
  documentedMemory,
  memorySeconds,
  sharpestBudget,
} from '../../../shared/vision/picture-memory.ts';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { endpointName } from '../../talk/session-bar.tsx';
import { SliderSetting } from '../controls/setting-controls.tsx';
import { useSettingsGroup } from '../controls/use-settings-group.ts';

/** How much of the model's memory goes to pictures, and the minutes that a talk then has; it is made anew for another server. */
export function BudgetSetting() {
  const { t, i18n } = useTranslation();
  const { setup } = useActions();
  const { budget, slices, rate } = useSettingsGroup('vision');
  const { generation } = useSettingsGroup('assistant');
  const { chosen, list } = useSettingsGroup('endpoints');
  const memory = useUiState(({ settingsUi }) => settingsUi.serverMemory) ?? documentedMemory;
  useEffect(() => void setup.readServerMemory(), [setup]);
  const server = endpointName(t, list.find(({ id }) => id === chosen)?.name ?? '');
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
        value={budget}
        min={1}
        max={sharpestBudget}
        step={1}
        defaultValue={defaultSettings.vision.budget}
        shown={(budget) => t('settings.vision.minutes', { minutes: minutesOf(budget) })}
        patch={(budget) => ({ vision: { budget } })}
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
