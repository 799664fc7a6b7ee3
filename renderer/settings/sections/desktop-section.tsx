import { useTranslation } from 'react-i18next';
import { useUiState } from '../../app/use-app-context.ts';
import { ChoiceSetting, PickerSetting, SwitchSetting } from '../controls/setting.tsx';
import { useSettingsGroup } from '../controls/use-settings.ts';

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
