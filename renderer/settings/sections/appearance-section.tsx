import { Minus, Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useActions, useUiState } from '../../app/app-context.ts';
import { IconButton } from '../../design/controls.tsx';
import { languageChoices } from '../../i18n/page-language.ts';
import {
  ChoiceSetting,
  PickerSetting,
  Setting,
  settingRange,
  SliderSetting,
  SwitchSetting,
  useSettingsGroup,
} from '../controls/setting.tsx';

export function AppearanceSection() {
  const { t } = useTranslation();
  return (
    <>
      <h1>{t('settings.sections.appearance')}</h1>
      <ChoiceSetting at="appearance.theme" />
      <TextSize />
      <ChoiceSetting at="appearance.language" choices={languageChoices(t)} />
    </>
  );
}

/** Buttons in place of a slider, because the layout grows and would move the slider. */
function TextSize() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const { textSize } = useSettingsGroup('appearance');
  const at = 'appearance.textSize';
  const { min, max } = settingRange(at);
  const step = (by: number) => (): void => {
    const next = Math.min(max, Math.max(min, textSize + by));
    void setup.choose(at, { appearance: { textSize: next } });
  };
  return (
    <Setting at={at}>
      {(aria) => (
        <div role="group" className="stepper" {...aria}>
          <IconButton
            icon={Minus}
            label={t('settings.appearance.smaller')}
            aria-disabled={textSize <= min}
            onClick={step(-10)}
          />
          <output aria-live="polite">{t('settings.sound.percent', { value: textSize })}</output>
          <IconButton
            icon={Plus}
            label={t('settings.appearance.larger')}
            aria-disabled={textSize >= max}
            onClick={step(10)}
          />
        </div>
      )}
    </Setting>
  );
}

/** Caption settings with a sample. */
export function CaptionsSection() {
  const { t } = useTranslation();
  return (
    <>
      <h1>{t('settings.sections.captions')}</h1>
      <SliderSetting at="captions.size" step={1} valueText={String} />
      <ChoiceSetting at="captions.contrast" />
      <p className="caption-sample">
        {t('settings.captions.heard')}
        <span className="caption-sample-coming">{t('settings.captions.coming')}</span>
        <s className="caption-sample-coming">{t('settings.captions.cut')}</s>
      </p>
    </>
  );
}

export function DesktopSection() {
  const { t } = useTranslation();
  const inBrowser = useUiState(({ about }) => about?.host === 'browser');
  const looksForUpdates = useUiState(
    ({ updates: { mode } }) => mode === 'announces' || mode === 'installs',
  );
  const { trayDoubleClick } = useSettingsGroup('desktop');
  // A double click has no system default, so `usual` is shown as `nothing`.
  const { usual: _usual, ...doubleClickChoices } = t('settings.choices.desktop.trayClick', {
    returnObjects: true,
  });
  return (
    <>
      <h1>{t('settings.sections.desktop')}</h1>
      {inBrowser && <p className="settings-quiet">{t('settings.desktop.only')}</p>}
      <ChoiceSetting at="desktop.closing" wide />
      <SwitchSetting at="desktop.autostart" />
      <SwitchSetting at="desktop.links" />
      {looksForUpdates && <ChoiceSetting at="desktop.updates" />}
      <PickerSetting at="desktop.trayClick" />
      <PickerSetting
        at="desktop.trayDoubleClick"
        value={trayDoubleClick === 'usual' ? 'nothing' : trayDoubleClick}
        choices={doubleClickChoices}
      />
      <ChoiceSetting at="desktop.trayPanel" />
      <SwitchSetting at="desktop.notifyAnswer" />
      <SwitchSetting at="desktop.notifyTurn" />
      <SwitchSetting at="desktop.notifyLimit" />
      <SwitchSetting at="desktop.notifyLost" />
      <SwitchSetting at="desktop.notifyModel" />
    </>
  );
}
