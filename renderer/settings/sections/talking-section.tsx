import { useTranslation } from 'react-i18next';
import { defaultSettings } from '../../../shared/settings/default-settings.ts';
import { ChoiceSetting, SliderSetting, SwitchSetting } from '../controls/setting-controls.tsx';
import { GlobalKeyRows } from '../keys/global-key-rows.tsx';
import { TalkKeyField } from '../keys/talk-key-field.tsx';
import { TalkKeyTest } from '../keys/talk-key-test.tsx';
import { useSettingsGroup } from '../controls/use-settings-group.ts';

/** How one gets the word: open microphone or key, and what a short sound means. */
export function TalkingSection() {
  const { t } = useTranslation();
  const { mode, sounds, startMuted, overlap, longTalks, answers, yielding } =
    useSettingsGroup('talking');
  return (
    <>
      <h1>{t('settings.sections.talking')}</h1>
      <ChoiceSetting
        at="talking.mode"
        wide
        value={mode}
        choices={t('settings.talking.modes', { returnObjects: true })}
        patch={(mode) => ({ talking: { mode } })}
      />
      <SwitchSetting
        at="talking.startMuted"
        value={startMuted}
        patch={(startMuted) => ({ talking: { startMuted } })}
      />
      <TalkKeyField />
      <TalkKeyTest />
      <GlobalKeyRows />
      <SwitchSetting
        at="talking.sounds"
        value={sounds}
        patch={(sounds) => ({ talking: { sounds } })}
      />
      <SwitchSetting
        at="talking.overlap"
        value={overlap.enabled}
        patch={(enabled) => ({ talking: { overlap: { enabled } } })}
      />
      <SliderSetting
        at="talking.shortMs"
        value={overlap.shortMs}
        min={100}
        max={3000}
        step={50}
        defaultValue={defaultSettings.talking.overlap.shortMs}
        shown={(value) => t('settings.talking.milliseconds', { value })}
        patch={(shortMs) => ({ talking: { overlap: { shortMs } } })}
      />
      <ChoiceSetting
        at="talking.longTalks"
        wide
        value={longTalks}
        choices={t('settings.talking.longTalks', { returnObjects: true })}
        patch={(longTalks) => ({ talking: { longTalks } })}
      />
      <ChoiceSetting
        at="talking.answers"
        wide
        value={answers}
        choices={t('settings.talking.answers', { returnObjects: true })}
        patch={(answers) => ({ talking: { answers } })}
      />
      <ChoiceSetting
        at="talking.yielding"
        wide
        value={yielding}
        choices={t('settings.talking.yieldings', { returnObjects: true })}
        patch={(yielding) => ({ talking: { yielding } })}
      />
    </>
  );
}
