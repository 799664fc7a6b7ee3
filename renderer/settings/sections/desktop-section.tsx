import { useTranslation } from 'react-i18next';
import type { DesktopSettings } from '../../../shared/settings/desktop-settings.ts';
import { useUiState } from '../../app/use-app-context.ts';
import { ChoiceSetting, PickerSetting, SwitchSetting } from '../controls/setting.tsx';
import { useSettingsGroup } from '../controls/use-settings.ts';

/** How the desktop app behaves: closing, starting, its tray, and what it notifies of. */
export function DesktopSection() {
  const { t } = useTranslation();
  const inBrowser = useUiState(({ about }) => about?.host === 'browser');
  return (
    <>
      <h1>{t('settings.sections.desktop')}</h1>
      {inBrowser && <p className="settings-quiet">{t('settings.desktop.only')}</p>}
      <Staying />
      <TrayManners />
      <Notifying at="notifyAnswer" />
      <Notifying at="notifyTurn" />
      <Notifying at="notifyLimit" />
      <Notifying at="notifyLost" />
    </>
  );
}

function Staying() {
  const { t } = useTranslation();
  const { closing, autostart, links, updates } = useSettingsGroup('desktop');
  const looksForUpdates = useUiState(
    ({ updates: { way } }) => way === 'tells' || way === 'replaces',
  );
  return (
    <>
      <ChoiceSetting
        at="desktop.closing"
        wide
        value={closing}
        choices={t('settings.desktop.closings', { returnObjects: true })}
        patch={(closing) => ({ desktop: { closing } })}
      />
      <SwitchSetting
        at="desktop.autostart"
        value={autostart}
        patch={(autostart) => ({ desktop: { autostart } })}
      />
      <SwitchSetting at="desktop.links" value={links} patch={(links) => ({ desktop: { links } })} />
      {looksForUpdates && (
        <ChoiceSetting
          at="desktop.updates"
          value={updates}
          choices={t('settings.updates.choices', { returnObjects: true })}
          patch={(updates) => ({ desktop: { updates } })}
        />
      )}
    </>
  );
}

function TrayManners() {
  const { t } = useTranslation();
  const { trayClick, trayDoubleClick, trayPanel } = useSettingsGroup('desktop');
  const clicks = t('settings.desktop.clicks', { returnObjects: true });
  const { usual: _usual, ...doubleClicks } = clicks;
  return (
    <>
      <PickerSetting
        at="desktop.trayClick"
        value={trayClick}
        choices={clicks}
        patch={(trayClick) => ({ desktop: { trayClick } })}
      />
      <PickerSetting
        at="desktop.trayDoubleClick"
        value={trayDoubleClick === 'usual' ? 'nothing' : trayDoubleClick}
        choices={doubleClicks}
        patch={(trayDoubleClick) => ({ desktop: { trayDoubleClick } })}
      />
      <ChoiceSetting
        at="desktop.trayPanel"
        value={trayPanel}
        choices={t('settings.desktop.panels', { returnObjects: true })}
        patch={(trayPanel) => ({ desktop: { trayPanel } })}
      />
    </>
  );
}

type Notified = Extract<keyof DesktopSettings, `notify${string}`>;

function Notifying({ at }: { readonly at: Notified }) {
  const settings = useSettingsGroup('desktop');
  return (
    <SwitchSetting
      at={`desktop.${at}`}
      value={settings[at]}
      patch={(on) => ({ desktop: { [at]: on } })}
    />
  );
}
