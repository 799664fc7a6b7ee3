import { type ComponentType, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useActions, useUiState } from '../app/app-context.ts';
import { SearchField, Note } from '../design/controls.tsx';
import { Picker } from '../design/layers.tsx';
import { errorText } from '../i18n/format.ts';
import { MemorySection } from '../memory/memory-section.tsx';
import { AboutSection } from './about/about-section.tsx';
import { AssistantSection } from './assistant/assistant-section.tsx';
import { AudioSection } from './audio/audio-section.tsx';
import { useSettingText } from './controls/setting.tsx';
import { EndpointsSection } from './endpoints/endpoints-section.tsx';
import { findSettings, type FoundSetting } from './find-settings.ts';
import { KeysSection } from './keys/keys-section.tsx';
import {
  AppearanceSection,
  CaptionsSection,
  DesktopSection,
} from './sections/appearance-section.tsx';
import { CursorSection } from './sections/cursor-section.tsx';
import { PrivacySection } from './sections/privacy-section.tsx';
import { TalkingSection } from './sections/talking-section.tsx';
import { ToolsSection } from './sections/tools-section.tsx';
import { VisionSection } from './sections/vision-section.tsx';
import { type SettingsSection, settingsSections } from './settings-ui-state.ts';
import { VoicesSection } from './voices/voices-section.tsx';
import './settings-screen.css';
import './sections/sections.css';

const screens: Readonly<Record<SettingsSection, ComponentType>> = {
  endpoints: EndpointsSection,
  assistant: AssistantSection,
  voices: VoicesSection,
  audio: AudioSection,
  vision: VisionSection,
  talking: TalkingSection,
  keys: KeysSection,
  cursor: CursorSection,
  tools: ToolsSection,
  captions: CaptionsSection,
  appearance: AppearanceSection,
  desktop: DesktopSection,
  memory: MemorySection,
  privacy: PrivacySection,
  about: AboutSection,
};

/** All settings by section. Changes take effect at once, except in forms that are saved as a whole. */
export function SettingsScreen() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const searching = useUiState(({ settingsUi }) => settingsUi.searchText.trim() !== '');
  const section = useUiState(({ settingsUi }) => settingsUi.section);
  useEffect(() => setup.flushAll, [setup]);
  return (
    <main className="settings" aria-label={t('places.settings')}>
      <div className="settings-side">
        <SettingsSearchField />
        <SectionNav />
        <SectionPicker />
      </div>
      <div className="settings-body">
        <span key={searching ? 'found' : section} ref={beginAtTop} hidden />
        <Problem />
        {searching ? <SettingsSearchResults /> : <Section />}
      </div>
    </main>
  );
}

/** A `ref` for the first element of a section. A setting that the user searched for scrolls into view later. */
function beginAtTop(element: HTMLElement | null): void {
  element?.parentElement?.scrollTo(0, 0);
}

function Section() {
  const { t } = useTranslation();
  const section = useUiState(({ settingsUi }) => settingsUi.section);
  const hasSettings = useUiState(({ settings }) => settings !== undefined);
  // About does not need the settings.
  if (!hasSettings && section !== 'about') {
    return (
      <>
        <h1>{t(`settings.sections.${section}`)}</h1>
        <p className="settings-quiet">{t('settings.waiting')}</p>
      </>
    );
  }
  const Screen = screens[section];
  return <Screen key={section} />;
}

/** Errors without a field, such as an unreadable settings file. */
function Problem() {
  const { t } = useTranslation();
  const { dismissProblem } = useActions();
  const problem = useUiState(({ problem }) => problem);
  return (
    <div className="settings-problem" role="alert">
      {problem !== undefined && (
        <Note kind="bad" onDismiss={dismissProblem}>
          {errorText(t, problem)}
        </Note>
      )}
    </div>
  );
}

function SectionNav() {
  const { t } = useTranslation();
  const { openSettings } = useActions();
  const section = useUiState(({ settingsUi }) => settingsUi.section);
  const searching = useUiState(({ settingsUi }) => settingsUi.searchText.trim() !== '');
  return (
    <nav className="section-nav" aria-label={t('settings.section')}>
      <ul>
        {settingsSections.map((each) => (
          <li key={each}>
            <button
              ref={each === section ? showInList : undefined}
              type="button"
              aria-current={each === section && !searching ? 'true' : undefined}
              onClick={() => openSettings(each)}
            >
              {t(`settings.sections.${each}`)}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** A `ref` for the current section. `scrollIntoView` would scroll the whole page if the window is low. */
function showInList(button: HTMLElement | null): void {
  const list = button?.closest('.settings-side');
  if (button === null || !(list instanceof Element)) return;
  const [shown, room] = [button.getBoundingClientRect(), list.getBoundingClientRect()];
  list.scrollTop += Math.max(0, shown.bottom - room.bottom) - Math.max(0, room.top - shown.top);
}

/** Section choice in narrow windows. */
function SectionPicker() {
  const { t } = useTranslation();
  const { openSettings } = useActions();
  const section = useUiState(({ settingsUi }) => settingsUi.section);
  return (
    <div className="section-picker">
      <span id="section-picker" className="visually-hidden">
        {t('settings.section')}
      </span>
      <Picker
        label={t('settings.section')}
        labelledBy="section-picker"
        value={section}
        choices={t('settings.sections', { returnObjects: true })}
        onChoose={openSettings}
      />
    </div>
  );
}

/** Searches settings in all languages. */
function SettingsSearchField() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const searched = useUiState(({ settingsUi }) => settingsUi.searchText);
  const first = findSettings(searched)[0];
  return (
    <div className="settings-search">
      <SearchField
        label={t('settings.find')}
        clearLabel={t('settings.clear')}
        query={searched}
        onSearch={setup.search}
        onKeyDown={({ key }) => {
          if (key === 'Enter' && first !== undefined) setup.goTo(first.section, first.id);
        }}
      />
    </div>
  );
}

function SettingsSearchResults() {
  const { t } = useTranslation();
  const searched = useUiState(({ settingsUi }) => settingsUi.searchText);
  const found = findSettings(searched);
  return (
    <section aria-label={t('settings.found')}>
      <h1>{t('settings.found')}</h1>
      {found.length === 0 && (
        <p className="settings-quiet" role="status">
          {t('shell.nothingFound')}
        </p>
      )}
      <ul className="found">
        {found.map((setting) => (
          <FoundRow key={setting.id} setting={setting} />
        ))}
      </ul>
    </section>
  );
}

function FoundRow({ setting: { section, id } }: { readonly setting: FoundSetting }) {
  const { t } = useTranslation();
  const { setup } = useActions();
  const { name, hint } = useSettingText(id);
  return (
    <li>
      <button type="button" onClick={() => setup.goTo(section, id)}>
        <span className="row-name">{name}</span>
        <span className="hint">{t(`settings.sections.${section}`)}</span>
        <span className="row-hint">{hint}</span>
      </button>
    </li>
  );
}
